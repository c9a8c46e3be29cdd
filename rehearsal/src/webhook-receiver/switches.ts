import { FaultSet } from "../fault-set.ts";
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

export class Switches extends FaultSet<Fault> {
  /** The fault to show to a request, counted as shown. */
  choose({ path, lot, isReused }: Candidate): Fault | undefined {
    return this.draw(
      ({ kind, path: only }) =>
        !isTlsFault(kind) &&
        (only === undefined || only === path) &&
        (kind !== "close_reused" || isReused),
      () => lot,
    );
  }

  /** The fault to show to a TLS connection, the so-manieth there is. */
  chooseForConnection(count: number): TlsFaultKind | undefined {
    const kind = this.draw(
      (fault) => isTlsFault(fault.kind),
      () => `connection ${count}`,
    )?.kind;
    return kind !== undefined && isTlsFault(kind) ? kind : undefined;
  }
}
