import type { RequestListener } from "node:http";
import { answerBy, faultRoutes, json, pageRoutes, viewRoute, wholeNumber } from "../page/routes.ts";
import type { Answer } from "../page/routes.ts";
import type { MailContent } from "./caught-mail.ts";
import { faultKinds, STEPS } from "./fault.ts";
import type { CatcherParts } from "./smtp-port.ts";
import { viewOf } from "./view.ts";
import type { SmtpFacts } from "./view.ts";

export interface Routing {
  parts: CatcherParts;
  smtp: SmtpFacts;
  /** Throws a `Mistake`. */
  setFaults(faults: unknown): void;
}

/** What stands at which address. */
export function routes({ parts, smtp, setFaults }: Routing): RequestListener {
  const { log, switches } = parts;
  return answerBy({
    ...pageRoutes(import.meta.dirname),
    ...viewRoute(
      () => log.version,
      (most) => viewOf(parts, smtp, most),
    ),
    ...faultRoutes(() => ({ faults: switches.list(), kinds: faultKinds, steps: STEPS }), setFaults),
    "GET /rehearsal/mails": ({ query }) => {
      const mails = log.after(wholeNumber(query, "after", 0), wholeNumber(query, "limit", 1000));
      return json({ counts: log.counts(), mails });
    },
    "GET /rehearsal/content": ({ query }) => {
      const content = log.content(wholeNumber(query, "number", 0));
      return json(content === undefined ? {} : contentOf(content));
    },
    "GET /rehearsal/html": ({ query }) =>
      letter(log.content(wholeNumber(query, "number", 0))?.parsed.html ?? ""),
  });
}

function contentOf({ raw, parsed }: MailContent): Record<string, unknown> {
  const { text, html, headers } = parsed;
  return {
    headers: headers.map(({ originalKey, value }) => [originalKey, value]),
    text,
    hasHtml: html !== undefined,
    raw: raw.toString(),
  };
}

/** A mail's HTML. It may look as it likes, and neither run nor reach out: a mail is a stranger's. */
function letter(body: string): Answer {
  return {
    status: 200,
    type: "text/html",
    body,
    policy:
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
  };
}
