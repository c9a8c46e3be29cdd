import type { FaultKind } from "./fault.ts";

/** A request for a completion. */
export interface LoggedRequest {
  /** RFC 3339. */
  at: string;
  kind: "evaluation" | "json" | "conversation" | "invalid";
  model: string;
  /** 0 where none was sent. */
  status: number;
  fault?: FaultKind;
  /** The script that answered, or "rules". */
  by?: string;
  promptTokens: number;
  completionTokens: number;
  /** A digest of the request: the same for the same request. */
  requestId: string;
}

/** What was asked since the start. */
export interface Requests {
  total: number;
  /** How many of each. */
  kinds: Record<string, number>;
  models: Record<string, number>;
  faults: Record<string, number>;
  /** The last thousand, oldest first. */
  recent: LoggedRequest[];
}

const KEPT = 1_000;

/** Counts all requests and remembers the last ones. */
export class RequestLog {
  #total = 0;
  #kinds = new Map<string, number>();
  #models = new Map<string, number>();
  #faults = new Map<string, number>();
  #recent: LoggedRequest[] = [];

  add(request: LoggedRequest): void {
    this.#total += 1;
    count(this.#kinds, request.kind);
    count(this.#models, request.model);
    if (request.fault !== undefined) count(this.#faults, request.fault);
    this.#recent.push(request);
    if (this.#recent.length >= 2 * KEPT) this.#recent = this.#recent.slice(-KEPT);
  }

  read(): Requests {
    return {
      total: this.#total,
      kinds: Object.fromEntries(this.#kinds),
      models: Object.fromEntries(this.#models),
      faults: Object.fromEntries(this.#faults),
      recent: this.#recent.slice(-KEPT),
    };
  }
}

function count(counts: Map<string, number>, name: string): void {
  // A model's name comes from outside: without a bound, the log would grow with nonsense.
  if (counts.size < KEPT || counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
}
