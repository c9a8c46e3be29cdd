import * as z from "zod";
import { Faults } from "../faults.ts";
import type { FaultFacts, SwitchedFault } from "../faults.ts";
import type { LoggedRequest } from "./request-log.ts";

export interface Fault extends SwitchedFault {
  kind: FaultKind;
  /** Only requests for this model. */
  model?: string;
  /** What `rate_limit` says in Retry-After; 1 unless told. */
  retryAfterSecs?: number;
}

export type FaultKind = keyof typeof faultKinds;

/** Every switch there is, and which requests can show it: any, where nothing is said. */
export const faultKinds = {
  rate_limit: { does: "429 with Retry-After" },
  rate_limit_silent: { does: "429 without Retry-After" },
  quota: { does: "429 insufficient_quota, where trying again does not help" },
  error_500: { does: "500" },
  error_503: { does: "503" },
  error_529: { does: "529, overloaded" },
  bad_key: { does: "401, whatever the key" },
  refuse: { does: "closes the port and all connections: for forMs, or until other faults are set" },
  reset: { does: "resets the connection in place of an answer" },
  stall: { does: "takes the request and never answers" },
  stall_midway: { does: "half of the answer, then silence" },
  cut_midway: { does: "half of the answer, then the connection ends" },
  drip: { does: "the answer one byte at a time, 50 a second" },
  truncated: { does: "text cut at two thirds, finish_reason length" },
  prose: { does: "prose in place of JSON", on: "json" },
  code_fence: { does: "the JSON in a code fence", on: "json" },
  extra_keys: {
    does: "keys that the schema does not have, in the whole and in its parts",
    on: "evaluation",
  },
  unknown_question: { does: "a question and an insight nobody configured", on: "evaluation" },
  bad_enum: { does: "a status and a language that do not exist", on: "evaluation" },
  nulls: { does: "null in every claim", on: "evaluation" },
  huge_string: { does: "a text of 10 MB" },
  made_up_name: { does: "a name that nobody said, with a true quote", on: "evaluation" },
  made_up_email: { does: "an address that nobody gave", on: "evaluation" },
  made_up_quote: { does: "every claim made, every quote invented", on: "evaluation" },
  empty: { does: "an empty text" },
  refusal: { does: "declines to answer" },
  content_filter: { does: "an empty text, finish_reason content_filter" },
  tool_loop: { does: "a tool call as every answer", on: "tools" },
  tool_flood: { does: "1,000 tool calls in one answer", on: "tools" },
  broken_marks: {
    does: "directions that are unclosed, nested or unknown among the words",
    on: "conversation",
  },
  split_marks: { does: "the text letter by letter, so that each direction comes in pieces" },
  thinking: { does: "its thoughts in front of the words, as <think> text", on: "conversation" },
  tool_text: { does: "tool calls as text among the words", on: "conversation" },
  wrong_usage: { does: "a usage of a million tokens that does not add up" },
  gullible: { does: "obeys what visitor or page tell it, and leaks its prompt in several codes" },
} as const;

type RequestKind = "json" | "evaluation" | "conversation" | "tools";

const facts: Record<FaultKind, FaultFacts & { on?: RequestKind }> = faultKinds;

export function createFaults(): Faults<Fault> {
  return new Faults({
    kinds: faultKinds,
    settings: { model: z.string(), retryAfterSecs: z.number().min(0).max(86_400) },
    complaint: ({ kind, share, times, model }) =>
      kind === "refuse" && (share ?? times ?? model) !== undefined
        ? "a closed port knows no share, times or model, only forMs"
        : undefined,
  });
}

/** What decides whether a fault fits a request. */
export interface Candidate {
  model: string;
  kind: LoggedRequest["kind"];
  hasTools: boolean;
}

export function fits({ kind, model }: Fault, candidate: Candidate): boolean {
  if (model !== undefined && model !== candidate.model) return false;
  switch (facts[kind].on) {
    case "json":
      return candidate.kind === "json" || candidate.kind === "evaluation";
    case "evaluation":
    case "conversation":
      return candidate.kind === facts[kind].on;
    case "tools":
      return candidate.hasTools;
    default:
      return kind !== "refuse";
  }
}
