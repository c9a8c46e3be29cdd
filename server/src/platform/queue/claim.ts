import type { Trx } from "../database/db.ts";

/** One run of a job, held by this process until it completes it or loses it. */
export interface Claim<Payload> {
  payload: Payload;
  /** How often in a row a crash of ours has cut a run of this job short. What the database cut short counts for nothing. */
  crashes: number;
  /** Aborted when the run has lost its claim or its time: nothing it writes from then on would count. */
  signal: AbortSignal;
  /**
   * Ends the job in the transaction of what the run writes. Throws when the claim has gone to
   * another process, so that a process frozen past its lease writes nothing late.
   */
  complete(trx: Trx): Promise<void>;
}

export class ClaimLost extends Error {
  constructor() {
    super("the job has gone to another process");
    this.name = "ClaimLost";
  }
}
