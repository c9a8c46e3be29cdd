import { isDrawn } from "../is-drawn.ts";
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

/** The faults that are switched on, and how often each was shown. */
export class Switches {
  #set: { fault: Fault; hits: number; endsAt: number }[] = [];
  #seen = new Map<string, number>();

  set(faults: Fault[]): void {
    const now = performance.now();
    this.#set = faults.map((fault) => ({
      fault,
      hits: 0,
      endsAt: now + (fault.forMs ?? Infinity),
    }));
    this.#seen.clear();
  }

  /** The fault to show, counted as shown. */
  choose(candidate: Candidate): Fault | undefined {
    const fitting = this.#on().filter(({ fault }) => fits(fault, candidate));
    if (fitting.length === 0) return undefined;
    const lot = `${candidate.requestId}:${this.#timesSeen(candidate.requestId)}`;
    const chosen = fitting.find(({ fault }) => isDrawn(fault, lot));
    if (chosen === undefined) return undefined;
    chosen.hits += 1;
    return chosen.fault;
  }

  /** Those that are not over yet. */
  list(): (Fault & { hits: number })[] {
    return this.#on().map(({ fault, hits }) => ({ ...fault, hits }));
  }

  #on() {
    const now = performance.now();
    return this.#set.filter(
      ({ fault, hits, endsAt }) => now < endsAt && hits < (fault.times ?? Infinity),
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
