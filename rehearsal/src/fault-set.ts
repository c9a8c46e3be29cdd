import { isDrawn } from "./is-drawn.ts";

/** What every stand-in's fault has. */
export interface SwitchedFault {
  kind: string;
  share?: number;
  times?: number;
  forMs?: number;
}

/** The faults that are switched on, and how often each was shown. */
export class FaultSet<F extends SwitchedFault> {
  #set: { fault: F; hits: number; endsAt: number }[] = [];

  set(faults: F[]): void {
    const now = performance.now();
    this.#set = faults.map((fault) => ({
      fault,
      hits: 0,
      endsAt: now + (fault.forMs ?? Infinity),
    }));
  }

  /** The first that fits and is drawn, counted as shown. `lot` is asked for only if one fits. */
  draw<G extends F>(fits: (fault: F) => fault is G, lot: () => string): G | undefined;
  draw(fits: (fault: F) => boolean, lot: () => string): F | undefined;
  draw(fits: (fault: F) => boolean, lot: () => string): F | undefined {
    const fitting = this.#on().filter(({ fault }) => fits(fault));
    if (fitting.length === 0) return undefined;
    const drawn = lot();
    const chosen = fitting.find(({ fault }) => isDrawn(fault, drawn));
    if (chosen === undefined) return undefined;
    chosen.hits += 1;
    return chosen.fault;
  }

  /** Those that are not over yet. */
  list(): (F & { hits: number })[] {
    return this.#on().map(({ fault, hits }) => ({ ...fault, hits }));
  }

  #on(): { fault: F; hits: number }[] {
    const now = performance.now();
    return this.#set.filter(
      ({ fault, hits, endsAt }) => now < endsAt && hits < (fault.times ?? Infinity),
    );
  }
}
