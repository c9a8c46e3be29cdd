import type { ReceivedRequest } from "./received-request.ts";
import type { Verdict } from "./signatures.ts";

/** What has come since the start. */
export interface Counts {
  total: number;
  /** Those that carried a request at least. */
  connections: number;
  /** Requests without an answer at this moment, and the most there were at once. */
  open: number;
  mostOpen: number;
  paths: Record<string, { total: number; open: number; mostOpen: number }>;
  /** By the status sent; `none` where the connection ended without one. */
  statuses: Record<string, number>;
  faults: Record<string, number>;
  signatures: Record<"svc" | "standard", Partial<Record<Verdict, number>>>;
}

/** Paths come from outside: without a bound, nonsense would fill the memory. */
const MOST_PATHS = 10_000;

/** Counts, and does nothing else: it must keep up with thousands a second. */
export class Counters {
  #version = 0;
  #connections = 0;
  #all = newLane();
  #paths = new Map<string, Lane>();
  #statuses = new Map<string, number>();
  #faults = new Map<string, number>();
  #signatures = { svc: new Map<Verdict, number>(), standard: new Map<Verdict, number>() };

  /** Grows with every change, so that a page can ask whether there is anything new. */
  get version(): number {
    return this.#version;
  }

  touch(): void {
    this.#version += 1;
  }

  begin(path: string, { isReused }: { isReused: boolean }): void {
    this.touch();
    if (!isReused) this.#connections += 1;
    if (!this.#paths.has(path) && this.#paths.size < MOST_PATHS) this.#paths.set(path, newLane());
    enter(this.#all);
    enter(this.#paths.get(path));
  }

  end({ path, status, fault, signatures }: ReceivedRequest): void {
    this.touch();
    for (const lane of [this.#all, this.#paths.get(path)]) if (lane !== undefined) lane.open -= 1;
    count(this.#statuses, String(status ?? "none"));
    if (fault !== undefined) count(this.#faults, fault);
    if (signatures === undefined) return;
    count(this.#signatures.svc, signatures.svc);
    count(this.#signatures.standard, signatures.standard);
  }

  read(): Counts {
    return {
      ...this.#all,
      connections: this.#connections,
      paths: Object.fromEntries([...this.#paths].map(([path, lane]) => [path, { ...lane }])),
      statuses: Object.fromEntries(this.#statuses),
      faults: Object.fromEntries(this.#faults),
      signatures: {
        svc: Object.fromEntries(this.#signatures.svc),
        standard: Object.fromEntries(this.#signatures.standard),
      },
    };
  }
}

interface Lane {
  total: number;
  open: number;
  mostOpen: number;
}

function newLane(): Lane {
  return { total: 0, open: 0, mostOpen: 0 };
}

function enter(lane: Lane | undefined): void {
  if (lane === undefined) return;
  lane.total += 1;
  lane.open += 1;
  lane.mostOpen = Math.max(lane.mostOpen, lane.open);
}

function count<K>(counts: Map<K, number>, name: K): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
