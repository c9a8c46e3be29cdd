import { hash } from "node:crypto";
import * as z from "zod";
import { readValue } from "./read-value.ts";

/** One way to fail, switched on. Of several that fit, the first is shown. */
export interface SwitchedFault {
  kind: string;
  /** Of what it fits, from 0 to 1. A digest decides, so that a repeated run fails alike. */
  share?: number;
  /** So many times, then it is over. */
  times?: number;
  /** Counted from when it was set, then it is over. */
  forMs?: number;
}

/** What there is to know about one kind of fault. */
export interface FaultFacts {
  does: string;
  /** The setting that it cannot do without. */
  needs?: string;
}

/** How a stand-in can fail. */
export interface Failing<F extends SwitchedFault> {
  kinds: Record<F["kind"], FaultFacts>;
  /** What its faults can be told beside what all faults can be told. */
  settings: { [K in Exclude<keyof F, keyof SwitchedFault>]-?: z.ZodType<F[K]> };
  /** Says in words what is wrong with a fault whose settings are each well formed. */
  complaint?(fault: F): string | undefined;
}

/** The faults that are switched on, and how often each was shown. */
export class Faults<F extends SwitchedFault> {
  readonly kinds: Record<string, FaultFacts>;
  readonly #list: z.ZodType<F[]>;
  readonly #seen = new Map<string, number>();
  #set: { fault: F; hits: number; endsAt: number }[] = [];

  constructor(failing: Failing<F>) {
    this.kinds = failing.kinds;
    this.#list = z.array(faultSchema(failing));
  }

  /** Throws a `Mistake`. */
  read(value: unknown): F[] {
    return readValue(this.#list, value, "faults");
  }

  /** In place of those set before. Throws a `Mistake`. */
  set(value: unknown): void {
    const faults = this.read(value);
    const now = performance.now();
    this.#seen.clear();
    this.#set = faults.map((fault) => ({
      fault,
      hits: 0,
      endsAt: now + (fault.forMs ?? Infinity),
    }));
  }

  /**
   * The first that fits and is drawn, counted as shown. `key` names the occasion: the same one draws
   * alike in every run, and draws anew each time that it comes again.
   */
  draw(key: string, fits: (fault: F) => boolean = () => true): F | undefined {
    const fitting = this.#on().filter(({ fault }) => fits(fault));
    if (fitting.length === 0) return undefined;
    const lot = `${key} ${this.#count(key)}`;
    const chosen = fitting.find(({ fault }) => isDrawn(fault, lot));
    if (chosen !== undefined) chosen.hits += 1;
    return chosen?.fault;
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

  #count(key: string): number {
    const count = (this.#seen.get(key) ?? 0) + 1;
    // Keys come from outside: without a bound, a load test would fill the memory.
    if (this.#seen.size >= 100_000) this.#seen.clear();
    this.#seen.set(key, count);
    return count;
  }
}

function faultSchema<F extends SwitchedFault>(failing: Failing<F>): z.ZodType<F> {
  const settings = Object.entries<z.ZodType>(failing.settings);
  const fault = z.strictObject({
    kind: z.enum(Object.keys(failing.kinds)),
    share: z.number().min(0).max(1).exactOptional(),
    times: z.int().min(1).max(1_000_000_000).exactOptional(),
    forMs: z.number().min(1).max(86_400_000).exactOptional(),
    ...Object.fromEntries(settings.map(([name, setting]) => [name, z.exactOptional(setting)])),
  }) as unknown as z.ZodType<F>;
  return fault.superRefine((one, context) => {
    const { needs } = failing.kinds[one.kind as F["kind"]];
    const isComplete = needs === undefined || Object.hasOwn(one, needs);
    const why = isComplete ? failing.complaint?.(one) : `${one.kind} needs ${needs}`;
    if (why !== undefined) context.addIssue(why);
  });
}

function isDrawn({ kind, share }: SwitchedFault, lot: string): boolean {
  if (share === undefined) return true;
  const drawn = Number.parseInt(hash("sha256", `${kind}:${lot}`, "hex").slice(0, 8), 16);
  return drawn / 2 ** 32 < share;
}
