import * as z from "zod";
import { Faults } from "../faults.ts";
import type { SwitchedFault } from "../faults.ts";

export interface Fault extends SwitchedFault {
  kind: FaultKind;
  /** Only requests to this path. */
  path?: string;
  /** How `late` it answers, counted from the request's arrival. */
  afterMs?: number;
  /** What `status` answers. */
  status?: number;
}

export type FaultKind = keyof typeof faultKinds;

/** Every switch there is. Those of TLS are shown to connections, before there is a request. */
export const faultKinds = {
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
} as const;

export function isTlsFault({ kind }: Fault): boolean {
  return kind.startsWith("tls_");
}

export function createFaults({ hasTls }: { hasTls: boolean }): Faults<Fault> {
  return new Faults<Fault>({
    kinds: faultKinds,
    settings: {
      path: z.string(),
      afterMs: z.number().min(0).max(600_000),
      status: z.int().min(200).max(599),
    },
    complaint(fault) {
      if (!isTlsFault(fault)) return undefined;
      if (fault.path !== undefined) return "a handshake comes before the path is known";
      return hasTls ? undefined : "was started without a port for TLS";
    },
  });
}
