import { isDrawn } from "../is-drawn.ts";
import { isTlsFault } from "./fault.ts";
import type { Fault, TlsFaultKind } from "./fault.ts";

/** What decides whether a fault fits a request. */
export interface Candidate {
  path: string;
  /** Tells this request from all others, and is the same in a repeated run. */
  lot: string;
  /** Its connection has carried another request before. */
  isReused: boolean;
}

/** The faults that are switched on, and how often each was shown. */
export class Switches {
  #set: { fault: Fault; hits: number }[] = [];

  set(faults: Fault[]): void {
    this.#set = faults.map((fault) => ({ fault, hits: 0 }));
  }

  /** The fault to show to a request, counted as shown. */
  choose({ path, lot, isReused }: Candidate): Fault | undefined {
    return this.#draw(
      ({ kind, path: only }) =>
        !isTlsFault(kind) &&
        (only === undefined || only === path) &&
        (kind !== "close_reused" || isReused),
      lot,
    );
  }

  /** The fault to show to a TLS connection, the so-manieth there is. */
  chooseForConnection(count: number): TlsFaultKind | undefined {
    const kind = this.#draw((fault) => isTlsFault(fault.kind), `connection ${count}`)?.kind;
    return kind !== undefined && isTlsFault(kind) ? kind : undefined;
  }

  /** Those that are not over yet. */
  list(): (Fault & { hits: number })[] {
    return this.#set.filter(isOn).map(({ fault, hits }) => ({ ...fault, hits }));
  }

  #draw(fits: (fault: Fault) => boolean, lot: string): Fault | undefined {
    const chosen = this.#set.find((one) => isOn(one) && fits(one.fault) && isDrawn(one.fault, lot));
    if (chosen === undefined) return undefined;
    chosen.hits += 1;
    return chosen.fault;
  }
}

function isOn({ fault, hits }: { fault: Fault; hits: number }): boolean {
  return hits < (fault.times ?? Infinity);
}
