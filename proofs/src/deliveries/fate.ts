import type { ReceiverFault, ReceivedRequest } from "@svc/rehearsal";

export type FaultKind = ReceiverFault["kind"];

/** What a request comes to. */
export type Fate =
  | "taken"
  | "refused"
  /** No status came. On a kept connection that says nothing, and the same attempt sends it once more. */
  | "lost"
  /** A reset may overtake the status before it. */
  | "open";

const BY_FAULT: Partial<Record<FaultKind, Fate>> = {
  reset_before_body: "lost",
  reset_in_body: "lost",
  reset_after_body: "lost",
  close: "lost",
  close_reused: "lost",
  reset_in_answer: "open",
  // The status is there; what follows it is nobody's concern.
  endless_body: "taken",
  huge_body: "taken",
  dripping_body: "taken",
  gzip_bomb: "taken",
  bad_chunks: "taken",
  // Its status is behind more than anybody reads.
  huge_header: "refused",
};

export function fateOf({ fault, status }: Pick<ReceivedRequest, "fault" | "status">): Fate {
  const known = fault && BY_FAULT[fault];
  if (known !== undefined) return known;
  return status !== undefined && status >= 200 && status < 300 ? "taken" : "refused";
}
