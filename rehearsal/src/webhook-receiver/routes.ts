import type { RequestListener } from "node:http";
import { answerBy, faultRoutes, json, pageRoutes, viewRoute, wholeNumber } from "../page/routes.ts";
import { list, object, text } from "../shape.ts";
import { faultKinds } from "./fault.ts";
import { receive } from "./receive.ts";
import type { ReceiverParts } from "./receive.ts";
import { viewOf } from "./view.ts";
import type { Addresses } from "./view.ts";

export interface Routing {
  parts: ReceiverParts;
  addresses: Addresses;
  /** Throws a `Mistake`. */
  setFaults(faults: unknown): void;
  setSecrets(secrets: string[]): void;
}

/** What stands at which address. Whatever is posted elsewhere is a webhook. */
export function routes({ parts, addresses, setFaults, setSecrets }: Routing): RequestListener {
  const { log, keyring, switches } = parts;
  const answer = answerBy({
    ...pageRoutes(import.meta.dirname),
    ...viewRoute(
      () => log.counters.version,
      (most) => viewOf(parts, addresses, most),
    ),
    ...faultRoutes(() => ({ faults: switches.list(), kinds: faultKinds }), setFaults),
    "GET /rehearsal/requests": ({ query }) => {
      const requests = log.after(wholeNumber(query, "after", 0), wholeNumber(query, "limit", 1000));
      return json({ counts: log.counters.read(), requests });
    },
    "GET /rehearsal/content": ({ query }) => {
      const { headers, body } = log.content(wholeNumber(query, "number", 0)) ?? {};
      return json({ headers, body: body?.toString() });
    },
    "PUT /rehearsal/secrets": ({ body }) => {
      setSecrets(allSecrets(JSON.parse(body), "").secrets);
      return json({ known: keyring.size });
    },
    "POST /rehearsal/secrets": ({ body }) => {
      keyring.add(oneSecret(JSON.parse(body), "").secret);
      log.counters.touch();
      return json({ known: keyring.size });
    },
  });
  return (request, response) => {
    const isWebhook = request.method === "POST" && !request.url?.startsWith("/rehearsal/");
    if (isWebhook) receive(parts, request, response);
    else answer(request, response);
  };
}

const allSecrets = object({ secrets: list(text) });
const oneSecret = object({ secret: text });
