import type { IncomingHttpHeaders } from "node:http";
import type { SpeechFaultKind } from "./fault.ts";
import type { Address, Interface } from "./interfaces.ts";
import type { SpeechParts } from "./speech-parts.ts";

/** Faults that are a status and nothing else. */
const refusals: Partial<Record<SpeechFaultKind, number>> = {
  bad_key: 401,
  rate_limit: 429,
  error_500: 500,
};

/** Lets a client in, or returns the status that refuses it. */
export function admit(
  { service, keyIn }: Interface,
  { query }: Address,
  headers: IncomingHttpHeaders,
  parts: SpeechParts,
): number | undefined {
  const fault = parts.switches.choose("connection", service);
  const key = keyIn(headers, query);
  const isKeyRight = key !== undefined && (parts.apiKey ?? key) === key;
  const status = isKeyRight ? fault && refusals[fault.kind] : 401;
  const language = query.get("language") ?? query.get("language_code");
  parts.log.add({
    service,
    what: status === undefined ? "connected" : "refused",
    ...(language !== null && { language }),
    ...(fault !== undefined && { fault: fault.kind }),
  });
  return status;
}
