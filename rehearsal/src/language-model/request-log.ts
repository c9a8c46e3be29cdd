import { CountedHistory } from "../history.ts";
import type { FaultKind } from "./fault.ts";

/** A request for a completion. */
export interface LoggedRequest {
  /** RFC 3339. */
  at: string;
  kind: "evaluation" | "json" | "conversation" | "verifier" | "invalid";
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
export class RequestLog extends CountedHistory<LoggedRequest, "kind" | "model" | "fault"> {
  constructor() {
    super(1_000, ["kind", "model", "fault"]);
  }

  read(): Requests {
    return {
      total: this.total,
      kinds: this.tally("kind"),
      models: this.tally("model"),
      faults: this.tally("fault"),
      recent: this.recent(),
    };
  }
}
