import { list, number, object, oneOf, optional, text, wrongValue } from "../shape.ts";
import type { Shape } from "../shape.ts";

/** One way to fail, switched on. Of several that fit, the first is shown. */
export interface Fault {
  kind: FaultKind;
  /** In place of which answer. The message's, unless told; a `reply` is the recipient's. */
  at?: Step;
  /** Of what it fits, from 0 to 1; drawn by how many came before. */
  share?: number;
  /** So many times, then it is over. */
  times?: number;
  /** Only mail to this address; known from the recipient on. */
  to?: string;
  /** How `late` it answers. */
  afterMs?: number;
  /** What `reply` answers. */
  status?: number;
}

/** The answers of a mail server, in their order. */
export type Step = "greeting" | "sender" | "recipient" | "message";

export type FaultKind = AnswerFaultKind | "no_starttls" | TlsFaultKind;
export type AnswerFaultKind = "reply" | "late" | "silent" | "drip" | "cut";
export type TlsFaultKind = "tls_expired" | "tls_self_signed" | "tls_wrong_host";

interface Kind {
  does: string;
  /** The setting it cannot do without. */
  needs?: "afterMs" | "status";
  /** Shown in place of an answer, and of which unless told. Others are shown to connections. */
  at?: Step;
}

/** Every switch there is. A message whose answer is late, dripped or missing is kept all the same. */
export const faultKinds: Record<FaultKind, Kind> = {
  reply: { does: "another answer, such as 451 or 550", needs: "status", at: "recipient" },
  late: { does: "answers so many milliseconds late", needs: "afterMs", at: "message" },
  silent: { does: "never answers", at: "message" },
  drip: { does: "an answer without end, one byte a second", at: "message" },
  cut: { does: "resets the connection in place of an answer", at: "message" },
  no_starttls: { does: "does not offer STARTTLS" },
  tls_expired: { does: "a certificate that has expired" },
  tls_self_signed: { does: "a certificate that nobody vouches for" },
  tls_wrong_host: { does: "a certificate for another name" },
};

export const STEPS = ["greeting", "sender", "recipient", "message"] as const;

/** Whether it can only be shown where there is TLS to fail. */
export function needsTls({ kind }: Fault): boolean {
  return kind === "no_starttls" || kind.startsWith("tls_");
}

/** Absent where a fault is shown to the whole connection. */
export function stepOf({ kind, at }: Fault): Step | undefined {
  const usual = faultKinds[kind].at;
  return usual && (at ?? usual);
}

const fault: Shape<Fault> = object<Fault>({
  kind: oneOf(...(Object.keys(faultKinds) as FaultKind[])),
  at: optional(oneOf(...STEPS)),
  share: optional(number({ from: 0, to: 1 })),
  times: optional(number({ from: 1, to: 1_000_000_000, whole: true })),
  to: optional(text),
  afterMs: optional(number({ from: 0, to: 600_000 })),
  status: optional(number({ from: 400, to: 599, whole: true })),
});

/** Reads faults that were set from outside. */
export const faultList: Shape<Fault[]> = (value, at) => {
  const faults = list(fault)(value, at);
  for (const [index, one] of faults.entries()) {
    const { needs } = faultKinds[one.kind];
    const step = stepOf(one);
    const place = `${at}[${index}]`;
    if (needs !== undefined && one[needs] === undefined) {
      wrongValue(place, `${one.kind} needs ${needs}`);
    }
    if (step === undefined && one.at !== undefined) {
      wrongValue(place, `${one.kind} is shown to connections, not at an answer`);
    }
    if (one.to !== undefined && step !== "recipient" && step !== "message") {
      wrongValue(place, "the recipient is not known that early");
    }
  }
  return faults;
};
