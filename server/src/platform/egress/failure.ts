/** The reason why a request got no answer. Delivery logs use the same words. */
export type FailureClass =
  /** The address itself cannot be sent to. */
  | "bad_address"
  /** It leads, or could lead, into a network that is not the internet. */
  | "forbidden_address"
  | "name_not_found"
  /** Name servers failed or were silent. */
  | "dns_failed"
  | "connect_failed"
  /** The certificate is not valid for the name, or there was no agreement on encryption. */
  | "tls_failed"
  /** Closed or reset before a status line. */
  | "connection_lost"
  /** The answer is not HTTP, or does not end. */
  | "bad_answer"
  | "timed_out"
  /** We stopped it ourselves. */
  | "aborted"
  /** This machine ran out of something; the receiver has no part in it. */
  | "local_fault";

/** Thrown inside egress; its entry point turns it into an outcome. */
export class EgressFailure extends Error {
  readonly why: FailureClass;

  constructor(why: FailureClass, detail: string) {
    super(detail);
    this.name = "EgressFailure";
    this.why = why;
  }
}

const EXHAUSTED = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"]);
const LOST = new Set([
  "UND_ERR_SOCKET",
  "ECONNRESET",
  "EPIPE",
  "ECONNABORTED",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** undici's, by their names: the first comes without a code. */
const NOT_HTTP = new Set([
  "HTTPParserError",
  "HeadersOverflowError",
  "ResponseContentLengthMismatchError",
]);

/** Names a failure of connecting. `duringTls`: the receiver had accepted the connection. */
export function connectFailure(error: Error, duringTls: boolean): EgressFailure {
  const code = codeOf(error);
  if (EXHAUSTED.has(code)) return new EgressFailure("local_fault", code);
  if (duringTls) return new EgressFailure("tls_failed", code);
  // A reset can overtake the word that the connection stands.
  return new EgressFailure(code === "ECONNRESET" ? "connection_lost" : "connect_failed", code);
}

/**
 * Names whatever else went wrong up to the status line. `isSent`: the receiver may have read the
 * request. It is then never a local fault, which would not count as an attempt and be sent again.
 */
export function exchangeFailure(error: unknown, isSent: boolean): EgressFailure {
  if (error instanceof EgressFailure) return error;
  const code = codeOf(error);
  const { name, message } = error instanceof Error ? error : { name: "", message: code };
  if (NOT_HTTP.has(name) || message === "bad response" || message === "bad upgrade") {
    return new EgressFailure("bad_answer", message);
  }
  if (code.startsWith("ERR_SSL_")) return new EgressFailure("tls_failed", code);
  if (isSent || LOST.has(code)) return new EgressFailure("connection_lost", message);
  return new EgressFailure("local_fault", message);
}

/** `ECONNREFUSED`, `CERT_HAS_EXPIRED`: for programs, and clearer than most messages. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
