import { list, number, object, oneOf, optional, text, wrongValue } from "../shape.ts";
import type { Shape } from "../shape.ts";

/** One way to fail, switched on. Of several that fit a request, the first is shown. */
export interface Fault {
  kind: FaultKind;
  /** Of the requests that it fits, from 0 to 1; chosen by webhook-id and attempt, so a repeated run fails alike. */
  share?: number;
  /** So many requests, then it is over. */
  times?: number;
  /** Only requests to this path. */
  path?: string;
  /** How `late` it answers, counted from the request's arrival. */
  afterMs?: number;
  /** What `status` answers. */
  status?: number;
}

export type FaultKind =
  | "late"
  | "silent"
  | "drip"
  | "status"
  | "interim_flood"
  | "endless_body"
  | "huge_body"
  | "dripping_body"
  | "gzip_bomb"
  | "reset_before_body"
  | "reset_in_body"
  | "reset_after_body"
  | "reset_in_answer"
  | "close"
  | "close_reused"
  | "http_0_9"
  | "huge_header"
  | "bad_chunks"
  | TlsFaultKind;

export type TlsFaultKind =
  | "tls_expired"
  | "tls_self_signed"
  | "tls_wrong_host"
  | "tls_1_0"
  | "tls_stall";

interface Kind {
  does: string;
  /** The setting it cannot do without. */
  needs?: "afterMs" | "status";
}

/** Every switch there is. */
export const faultKinds: Record<FaultKind, Kind> = {
  late: { does: "204, so many milliseconds after the request arrived", needs: "afterMs" },
  silent: { does: "takes the request and never answers" },
  drip: { does: "the answer one byte a second: its status line takes 17 s" },
  status: { does: "another status; 3xx with a Location, 429 with Retry-After", needs: "status" },
  interim_flood: { does: "102 Processing without end" },
  endless_body: { does: "200, then a body without end" },
  huge_body: { does: "200, then a body of 1 GB" },
  dripping_body: { does: "200, then a body of one byte a second, without end" },
  gzip_bomb: { does: "200, then 1 MB of gzip that unpacks to 1 GB" },
  reset_before_body: { does: "resets the connection before it reads the body" },
  reset_in_body: { does: "resets the connection when it has read the body's first bytes" },
  reset_after_body: { does: "reads the whole request, then resets the connection" },
  reset_in_answer: { does: "200 and half of its body, then a reset" },
  close: { does: "reads the whole request, then closes the connection" },
  close_reused: { does: "closes a kept connection as its next request comes" },
  http_0_9: { does: "HTML without a status line" },
  huge_header: { does: "200 with a header of 1 MB" },
  bad_chunks: { does: "200, then chunks whose lengths are no numbers" },
  tls_expired: { does: "a certificate that has expired" },
  tls_self_signed: { does: "a certificate that nobody vouches for" },
  tls_wrong_host: { does: "a certificate for another name" },
  tls_1_0: { does: "TLS 1.0 and no other" },
  tls_stall: { does: "accepts the connection and leaves the handshake unanswered" },
};

/** These are shown to connections, before there is a request. */
export function isTlsFault(kind: FaultKind): kind is TlsFaultKind {
  return kind.startsWith("tls_");
}

const fault: Shape<Fault> = object<Fault>({
  kind: oneOf(...(Object.keys(faultKinds) as FaultKind[])),
  share: optional(number({ from: 0, to: 1 })),
  times: optional(number({ from: 1, to: 1_000_000_000, whole: true })),
  path: optional(text),
  afterMs: optional(number({ from: 0, to: 600_000 })),
  status: optional(number({ from: 200, to: 599, whole: true })),
});

/** Reads faults that were set from outside. */
export const faultList: Shape<Fault[]> = (value, at) => {
  const faults = list(fault)(value, at);
  for (const [index, one] of faults.entries()) {
    const { needs } = faultKinds[one.kind];
    if (needs !== undefined && one[needs] === undefined) {
      wrongValue(`${at}[${index}]`, `${one.kind} needs ${needs}`);
    }
    if (isTlsFault(one.kind) && one.path !== undefined) {
      wrongValue(`${at}[${index}]`, "a handshake comes before the path is known");
    }
  }
  return faults;
};
