import { list, number, object, oneOf, optional, text, wrongValue } from "../shape.ts";
import type { Shape } from "../shape.ts";

/** One way to fail, switched on. Of several that fit a request, the first is shown. */
export interface Fault {
  kind: FaultKind;
  /** Of the requests that it fits, from 0 to 1; chosen by a digest of the request, so a repeated run fails alike. */
  share?: number;
  /** So many requests, then it is over. */
  times?: number;
  /** Only requests for this model. */
  model?: string;
  /** Counted from when it was set, then it is over. */
  forMs?: number;
  /** What `rate_limit` says in Retry-After; 1 unless told. */
  retryAfterSecs?: number;
}

export type FaultKind =
  | "rate_limit"
  | "rate_limit_silent"
  | "quota"
  | "error_500"
  | "error_503"
  | "error_529"
  | "bad_key"
  | "refuse"
  | "reset"
  | "stall"
  | "stall_midway"
  | "cut_midway"
  | "drip"
  | "truncated"
  | "prose"
  | "code_fence"
  | "extra_keys"
  | "unknown_question"
  | "bad_enum"
  | "nulls"
  | "huge_string"
  | "made_up_name"
  | "made_up_email"
  | "made_up_quote"
  | "empty"
  | "refusal"
  | "content_filter"
  | "tool_loop"
  | "tool_flood"
  | "wrong_usage"
  | "gullible";

interface Kind {
  does: string;
  /** Requests that can show it; any, where nothing is said. */
  on?: "json" | "evaluation" | "tools";
}

/** Every switch there is. */
export const faultKinds: Record<FaultKind, Kind> = {
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
  wrong_usage: { does: "a usage of a million tokens that does not add up" },
  gullible: { does: "obeys what visitor or page tell it, and leaks its prompt in several codes" },
};

const fault: Shape<Fault> = object<Fault>({
  kind: oneOf(...(Object.keys(faultKinds) as FaultKind[])),
  share: optional(number({ from: 0, to: 1 })),
  times: optional(number({ from: 1, to: 1_000_000_000, whole: true })),
  model: optional(text),
  forMs: optional(number({ from: 1, to: 86_400_000 })),
  retryAfterSecs: optional(number({ from: 0, to: 86_400 })),
});

/** Reads faults that were set from outside. */
export const faultList: Shape<Fault[]> = (value, at) => {
  const faults = list(fault)(value, at);
  for (const [index, { kind, share, times, model }] of faults.entries()) {
    const narrowed = share !== undefined || times !== undefined || model !== undefined;
    if (kind === "refuse" && narrowed) {
      wrongValue(`${at}[${index}]`, "a closed port knows no share, times or model, only forMs");
    }
  }
  return faults;
};
