import type { Clock, Egress, EgressOutcome } from "#platform";
import { isTaken } from "../delivery/deliverer.ts";
import type { CureName } from "./receiver-doctor-code.ts";
import { Samples } from "./receiver-doctor-sample.ts";
import type { SampleOptions, SampleRequest } from "./receiver-doctor-sample.ts";
import { answerWords, explainOutcome } from "./receiver-doctor-words.ts";

/** A finding about one aspect of a receiver. */
export interface ReceiverFinding {
  name: string;
  state: "ok" | "warn" | "fail" | "skip";
  /** A sentence without its full stop. */
  says: string;
  fix?: string;
  cure?: CureName;
  /** Undefined when nothing was sent. */
  tookMs?: number;
}

export interface ReceiverUnderTest extends Omit<SampleOptions, "nowMs"> {
  url: string;
}

/** The same as for a delivery. */
const DEADLINE_MS = 10_000;
/** Well below the deadline of ten seconds, to leave a margin for bad days. */
const SLOW_MS = 3_000;
const EXPIRES_SOON_DAYS = 14;

/**
 * Sends a receiver events that it must accept and events that it should refuse, and reports what to
 * correct.
 */
export async function examineReceiver(
  receiver: ReceiverUnderTest,
  { egress, clock }: { egress: Pick<Egress, "post">; clock: Clock },
): Promise<ReceiverFinding[]> {
  const samples = new Samples({ ...receiver, nowMs: clock.nowMs() });
  const post = (request: SampleRequest): Promise<EgressOutcome> =>
    egress.post({ url: receiver.url, deadlineMs: DEADLINE_MS, ...request });

  const first = await post(samples.genuine);
  const findings = [
    judgeAddress(receiver.url),
    judgeAnswer(first),
    judgeCertificate(first, clock.nowMs()),
  ];
  if (!isTaken(first)) return [...findings, ...[...PROBES, { name: "speed" }].map(skipped)];
  const outcomes = [first];
  for (const probe of PROBES) {
    const outcome = await post(probe.request(samples));
    outcomes.push(outcome);
    findings.push(
      probe.wants === "taken" ? judgeTaken(probe, outcome) : judgeRefused(probe, outcome),
    );
  }
  return [...findings, judgeSpeed(outcomes)];
}

/** A further request and what it shows. */
interface Probe {
  name: string;
  wants: "taken" | "refused";
  request(samples: Samples): SampleRequest;
  /** Describes the request within the finding's sentence. */
  is: string;
  fix: string;
  cure: CureName;
}

const CHECK_SIGNATURES = {
  wants: "refused",
  fix: "Check the signature, and answer 401 when it is wrong: otherwise anybody can send sessions.",
  cure: "verify",
} as const;

const PROBES: Probe[] = [
  {
    ...CHECK_SIGNATURES,
    name: "wrong signature",
    request: (samples) => samples.withWrongSignature(),
    is: "an event with a wrong signature",
  },
  {
    ...CHECK_SIGNATURES,
    name: "no signature",
    request: (samples) => samples.withoutSignature(),
    is: "an event without a signature",
  },
  {
    name: "duplicate",
    wants: "taken",
    request: (samples) => samples.genuine,
    is: "the same event once more, as after a lost answer",
    fix: "Store sessions by their id, and let the same one come again.",
    cure: "store_by_id",
  },
  {
    name: "evaluated again",
    wants: "taken",
    request: (samples) => samples.evaluatedAgain(),
    is: "a later event of the same session, as after a re-evaluation",
    fix: "Store sessions by their id, and let a later event replace what is there.",
    cure: "store_by_id",
  },
  {
    name: "raw body",
    wants: "taken",
    request: (samples) => samples.spacedOut(),
    is: "JSON with spaces and escapes, signed as it stands",
    fix: "Check the signature over the bytes as they came, before anything parses them.",
    cure: "raw_body",
  },
  {
    name: "large body",
    wants: "taken",
    request: (samples) => samples.large(),
    is: "half a megabyte, as after a very long talk",
    fix: "Let the receiver, and a proxy before it, take bodies of 5 MB.",
    cure: "larger_body",
  },
];

function skipped({ name }: { name: string }): ReceiverFinding {
  return { name, state: "skip", says: "needs a receiver that takes a genuine event" };
}

function judgeAddress(url: string): ReceiverFinding {
  const name = "address";
  if (new URL(url).protocol === "https:") return { name, state: "ok", says: url };
  return {
    name,
    state: "warn",
    says: `${url} is plain HTTP: whoever is on the way can read it`,
    fix: "Serve it by https, and register that address.",
  };
}

function judgeAnswer(outcome: EgressOutcome): ReceiverFinding {
  const { tookMs } = outcome;
  if (outcome.kind === "answered" && isTaken(outcome)) {
    return {
      name: "answer",
      state: "ok",
      says: `took a genuine event (${outcome.status})`,
      tookMs,
    };
  }
  return { name: "answer", state: "fail", ...explainOutcome(outcome), tookMs };
}

function judgeTaken({ name, is, fix, cure }: Probe, outcome: EgressOutcome): ReceiverFinding {
  const { tookMs } = outcome;
  if (outcome.kind === "failed") {
    const { says, ...remedy } = explainOutcome(outcome);
    return { name, state: "fail", says: `sent ${is}, ${says}`, ...remedy, tookMs };
  }
  if (isTaken(outcome))
    return { name, state: "ok", says: `took ${is} (${outcome.status})`, tookMs };
  return { name, state: "fail", says: `to ${is}, ${answerWords(outcome)}`, fix, cure, tookMs };
}

function judgeRefused({ name, is, fix, cure }: Probe, outcome: EgressOutcome): ReceiverFinding {
  const { tookMs } = outcome;
  const how = outcome.kind === "answered" ? outcome.status : outcome.why;
  if (!isTaken(outcome)) return { name, state: "ok", says: `refused ${is} (${how})`, tookMs };
  // Not a failure, because checking signatures is the customer's choice.
  return { name, state: "warn", says: `took ${is} (${how})`, fix, cure, tookMs };
}

function judgeCertificate(outcome: EgressOutcome, nowMs: number): ReceiverFinding {
  const name = "certificate";
  const until = outcome.kind === "answered" ? outcome.certificateUntil : undefined;
  if (until === undefined) return { name, state: "skip", says: "none was seen" };
  const days = Math.floor((until.getTime() - nowMs) / 86_400_000);
  const says = `trusted, for this host name, until ${until.toISOString().slice(0, 10)}`;
  if (days >= EXPIRES_SOON_DAYS) return { name, state: "ok", says };
  const fix = "Renew it, and automate that: once it has expired, nothing is delivered.";
  return { name, state: "warn", says: `${says}, which is in ${days} days`, fix };
}

function judgeSpeed(outcomes: EgressOutcome[]): ReceiverFinding {
  const slowestMs = Math.round(Math.max(...outcomes.map(({ tookMs }) => tookMs)));
  const says = `the slowest of ${outcomes.length} answers took ${slowestMs.toLocaleString("en")} ms`;
  if (slowestMs <= SLOW_MS) return { name: "speed", state: "ok", says };
  const fix = "Store the event, answer, and work afterwards: what takes 10 s counts as no answer.";
  return { name: "speed", state: "warn", says, fix, cure: "answer_first" };
}
