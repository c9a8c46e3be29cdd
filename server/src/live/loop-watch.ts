import { totalmem } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Clock } from "#platform";

const TICK_MS = 100;
/** Shorter than a browser waits for an answer before it turns to another process. */
const STOOD_STILL_MS = 1_000;
/** The delay of the event loop is looked at in stretches of this length. */
const STRETCH_MS = 10_000;

/** Sound that is this late is heard: what a visitor says is cut short, and what the agent says has gaps. */
const LATE_MS = 200;
/** Of the memory that this process may have. The calls that it has need the rest. */
const FULL_SHARE = 0.85;
/** A process that is late with so few calls is not late because of them: it would refuse everybody for nothing. */
const FEW_CALLS = 5;

/** How well this process carries what it has. */
export interface Strain {
  /** How late the event loop was at worst, but for one time in a hundred, in the last ten seconds or so. */
  loopDelayMs: number;
  /** The used part of the heap, or of the memory that the process may have: the larger one. */
  memoryShare: number;
  /** Why it takes no new call now. */
  busy: "event_loop" | "memory" | undefined;
}

export interface LoopWatchOptions {
  clock: Clock;
  /** The process stood still, as one that was frozen: others may run its calls by now. Resolves when it knows. */
  onStoodStill: () => Promise<void>;
}

/**
 * Watches the event loop of this process: how late it runs what is due, and whether it stood still. After a
 * stand-still nothing is said to any visitor before `onStoodStill` has resolved.
 */
export class LoopWatch {
  readonly #options: LoopWatchOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #histogram = monitorEventLoopDelay({ resolution: 10 });
  #tickedMs: number;
  #stretchMs: number;
  #delayMs = 0;
  #finding: Promise<void> | undefined;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
    this.#tickedMs = this.#stretchMs = options.clock.monotonicMs();
    this.#histogram.enable();
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Undefined while the process may speak; otherwise resolves when it may. */
  get findingOut(): Promise<void> | undefined {
    // What was due during the stand-still runs before the timer here.
    if (this.#options.clock.monotonicMs() - this.#tickedMs > STOOD_STILL_MS) this.#tick();
    return this.#finding;
  }

  get delayMs(): number {
    return this.#delayMs;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#histogram.disable();
  }

  #tick(): void {
    const nowMs = this.#options.clock.monotonicMs();
    const stoodStill = nowMs - this.#tickedMs > STOOD_STILL_MS;
    this.#tickedMs = nowMs;
    if (stoodStill)
      this.#finding ??= this.#options.onStoodStill().finally(() => (this.#finding = undefined));
    if (nowMs - this.#stretchMs < STRETCH_MS) return;
    this.#delayMs = this.#histogram.percentile(99) / 1_000_000;
    this.#histogram.reset();
    this.#stretchMs = nowMs;
  }
}

/** @param calls how many the process carries */
export function strainOf(
  calls: number,
  loopDelayMs: number,
  memoryShare: number = usedMemory(),
): Strain {
  const isLate = loopDelayMs > LATE_MS && calls >= FEW_CALLS;
  const memory = memoryShare > FULL_SHARE ? "memory" : undefined;
  return { loopDelayMs, memoryShare, busy: isLate ? "event_loop" : memory };
}

function usedMemory(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  // Nothing that makes sense where the process has no limit of its own.
  const allowed = process.constrainedMemory();
  const isLimited = allowed > 0 && allowed < totalmem();
  return Math.max(used / limit, isLimited ? process.memoryUsage.rss() / allowed : 0);
}
