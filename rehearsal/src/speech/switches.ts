import { isDrawn } from "../is-drawn.ts";
import { speechFaultKinds } from "./fault.ts";
import type { Occasion, SpeechFault } from "./fault.ts";
import type { Service } from "./service.ts";

/** The faults that are switched on, and how often each was shown. */
export class Switches {
  #set: { fault: SpeechFault; hits: number; endsAt: number }[] = [];
  readonly #counts = new Map<string, number>();

  set(faults: SpeechFault[]): void {
    const now = performance.now();
    this.#set = faults.map((fault) => ({
      fault,
      hits: 0,
      endsAt: now + (fault.forMs ?? Infinity),
    }));
    this.#counts.clear();
  }

  /** The fault to show now, counted as shown. */
  choose(occasion: Occasion, service: Service): SpeechFault | undefined {
    const lot = this.#numbered(`${occasion} ${service}`);
    const chosen = this.#on().find(
      ({ fault }) =>
        speechFaultKinds[fault.kind].on === occasion &&
        (fault.service === undefined || fault.service === service) &&
        isDrawn(fault, lot),
    );
    if (chosen === undefined) return undefined;
    chosen.hits += 1;
    return chosen.fault;
  }

  /** Those that are not over yet. */
  list(): (SpeechFault & { hits: number })[] {
    return this.#on().map(({ fault, hits }) => ({ ...fault, hits }));
  }

  #numbered(what: string): string {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return `${what} ${count}`;
  }

  #on() {
    const now = performance.now();
    return this.#set.filter(
      ({ fault, hits, endsAt }) => now < endsAt && hits < (fault.times ?? Infinity),
    );
  }
}
