import { History, Tally } from "../history.ts";
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

/** Counts all requests and remembers the last ones. */
export class RequestLog {
  readonly #history = new History<LoggedRequest>(1_000);
  readonly #kinds = new Tally();
  readonly #models = new Tally();
  readonly #faults = new Tally();

  add(request: LoggedRequest): void {
    this.#history.add(request);
    this.#kinds.add(request.kind);
    this.#models.add(request.model);
    this.#faults.add(request.fault);
  }

  newest(count: number): object {
    return { total: this.#history.total, requests: this.#history.newest(count) };
  }

  read(): Requests {
    return {
      total: this.#history.total,
      kinds: this.#kinds.read(),
      models: this.#models.read(),
      faults: this.#faults.read(),
      recent: this.#history.recent(),
    };
  }
}
