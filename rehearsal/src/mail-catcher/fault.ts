import * as z from "zod";
import { Faults } from "../faults.ts";
import type { FaultFacts, SwitchedFault } from "../faults.ts";

export interface Fault extends SwitchedFault {
  kind: FaultKind;
  /** In place of which answer. The message's, unless told; a `reply` is the recipient's. */
  at?: Step;
  /** Only mail to this address; known from the recipient on. */
  to?: string;
  /** How `late` it answers. */
  afterMs?: number;
  /** What `reply` answers. */
  status?: number;
}

export type FaultKind = keyof typeof faultKinds;

/** The answers of a mail server, in their order. */
export type Step = (typeof steps)[number];
const steps = ["greeting", "sender", "recipient", "message"] as const;

/**
 * Every switch there is. One that has `at` is shown in place of that answer unless told otherwise;
 * the others are shown to connections. A message whose answer is late, dripped or missing is kept all
 * the same.
 */
export const faultKinds = {
  reply: { does: "another answer, such as 451 or 550", needs: "status", at: "recipient" },
  late: { does: "answers so many milliseconds late", needs: "afterMs", at: "message" },
  silent: { does: "never answers", at: "message" },
  drip: { does: "an answer without end, one byte a second", at: "message" },
  cut: { does: "resets the connection in place of an answer", at: "message" },
  no_starttls: { does: "does not offer STARTTLS" },
  tls_expired: { does: "a certificate that has expired" },
  tls_self_signed: { does: "a certificate that nobody vouches for" },
  tls_wrong_host: { does: "a certificate for another name" },
} as const;

const facts: Record<FaultKind, FaultFacts & { at?: Step }> = faultKinds;

/** Absent where a fault is shown to the whole connection. */
export function stepOf({ kind, at }: Fault): Step | undefined {
  const usual = facts[kind].at;
  return usual && (at ?? usual);
}

export function createFaults({ hasTls }: { hasTls: boolean }): Faults<Fault> {
  return new Faults<Fault>({
    kinds: facts,
    settings: {
      at: z.enum(steps),
      to: z.string(),
      afterMs: z.number().min(0).max(600_000),
      status: z.int().min(400).max(599),
    },
    complaint(fault) {
      const { kind, at, to } = fault;
      const step = stepOf(fault);
      if (step === undefined && at !== undefined) {
        return `${kind} is shown to connections, not at an answer`;
      }
      if (step === undefined && !hasTls) return "was started without TLS";
      const isKnown = step === "recipient" || step === "message";
      return to === undefined || isKnown ? undefined : "the recipient is not known that early";
    },
  });
}
