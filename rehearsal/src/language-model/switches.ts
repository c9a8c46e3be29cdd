import { FaultSet } from "../fault-set.ts";
import { faultKinds } from "./fault.ts";
import type { Fault } from "./fault.ts";

/** What decides whether a fault fits a request. */
export interface Candidate {
  model: string;
  isJson: boolean;
  isEvaluation: boolean;
  hasTools: boolean;
  /** A digest of the whole request. */
  requestId: string;
}

export class Switches extends FaultSet<Fault> {
  readonly #seen = new Map<string, number>();

  override set(faults: Fault[]): void {
    super.set(faults);
    this.#seen.clear();
  }

  /** The fault to show, counted as shown. */
  choose(candidate: Candidate): Fault | undefined {
    const { requestId } = candidate;
    return this.draw(
      (fault) => fits(fault, candidate),
      () => `${requestId}:${this.#timesSeen(requestId)}`,
    );
  }

  /** Else a request that drew a fault would draw it again whenever it is repeated. */
  #timesSeen(requestId: string): number {
    const times = this.#seen.get(requestId) ?? 0;
    if (this.#seen.size >= 100_000) this.#seen.clear();
    this.#seen.set(requestId, times + 1);
    return times;
  }
}

function fits(fault: Fault, candidate: Candidate): boolean {
  if (fault.model !== undefined && fault.model !== candidate.model) return false;
  switch (faultKinds[fault.kind].on) {
    case "json":
      return candidate.isJson;
    case "evaluation":
      return candidate.isEvaluation;
    case "tools":
      return candidate.hasTools;
    default:
      return fault.kind !== "refuse";
  }
}
