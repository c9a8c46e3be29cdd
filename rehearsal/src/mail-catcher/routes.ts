import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { Mistake, object, wrongValue } from "../shape.ts";
import type { Shape } from "../shape.ts";
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

interface Asked {
  query: URLSearchParams;
  body: string;
}

interface Answer {
  status: number;
  type: string;
  body: string;
  /** What the browser may do with it; nothing unless told. */
  policy?: string;
}

/** What stands at which address. */
export function routes(routing: Routing): RequestListener {
  const table = tableOf(routing);
  return (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://inbox");
    const line = `${request.method} ${pathname}`;
    const route = Object.hasOwn(table, line) ? table[line]! : () => nothingAt(line);
    textOf(request)
      .then((body) => route({ query, body }))
      .catch(explained)
      .then((answer) => send(response, answer))
      .catch(() => response.destroy());
  };
}

function tableOf({ parts, smtp, setFaults }: Routing): Record<string, (asked: Asked) => Answer> {
  const { log, switches } = parts;
  const faults = (): Answer => json({ faults: switches.list(), kinds: faultKinds, steps: STEPS });
  return {
    "GET /": page,
    // The receiver's, so that the two look alike.
    "GET /stand-in.css": () => styles("../webhook-receiver/page.css"),
    "GET /page.css": () => styles("page.css"),
    "GET /rehearsal/view": ({ query }) => {
      const isSeen = query.get("seen") === String(log.version);
      const most = wholeNumber(query, "most", 50);
      return isSeen
        ? { status: 204, type: "text/plain", body: "" }
        : json(viewOf(parts, smtp, most));
    },
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
    "GET /rehearsal/faults": faults,
    "PUT /rehearsal/faults": ({ body }) => {
      setFaults(faultSetting(JSON.parse(body), "").faults);
      return faults();
    },
  };
}

const anything: Shape<unknown> = (value) => value;
const faultSetting = object<{ faults: unknown }>({ faults: anything });

function wholeNumber(query: URLSearchParams, name: string, usual: number): number {
  const given = query.get(name) ?? String(usual);
  return /^\d{1,15}$/.test(given) ? Number(given) : wrongValue(name, "expected a whole number");
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

/** The page, whose own script is known by its digest. */
function page(): Answer {
  const body = fileBeside("page.html");
  const script = /<script>(.*)<\/script>/s.exec(body)?.[1] ?? "";
  const digest = hash("sha256", script, "base64");
  return {
    status: 200,
    type: "text/html",
    body,
    policy: `default-src 'none'; style-src 'self'; script-src 'sha256-${digest}'; connect-src 'self'; frame-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'`,
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

function styles(file: string): Answer {
  return { status: 200, type: "text/css", body: fileBeside(file) };
}

function json(value: unknown): Answer {
  return { status: 200, type: "application/json", body: JSON.stringify(value) };
}

/** Read anew each time, so that a change shows on reload. */
function fileBeside(name: string): string {
  return readFileSync(join(import.meta.dirname, name), "utf8");
}

function nothingAt(line: string): Answer {
  return { ...json({ error: `Nothing answers ${line}.` }), status: 404 };
}

function explained(error: unknown): Answer {
  const isAskers = error instanceof Mistake || error instanceof SyntaxError;
  const why = error instanceof Error ? error.message : String(error);
  return { ...json({ error: why }), status: isAskers ? 400 : 500 };
}

function send(response: ServerResponse, { status, type, body, policy }: Answer): void {
  response
    .writeHead(status, {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": policy ?? "default-src 'none'; frame-ancestors 'none'",
    })
    .end(body);
}
