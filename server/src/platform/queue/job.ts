import type { Queue } from "pg-boss";
import type * as z from "zod";
import type { Trx } from "../database/db.ts";

/** A kind of background work. A module names its own in `jobs.ts`; the pipeline binds each to what does it. */
export interface Job<Payload extends object> {
  name: string;
  payload: z.ZodType<Payload>;
  /** The longest one run may take. A run that is still going then is given to another process. */
  expireInSecs: number;
}

/** The part of a job that the queue itself knows. */
export type JobQueue = Pick<Job<object>, "name" | "expireInSecs">;

export function defineJob<Payload extends object>(job: Job<Payload>): Job<Payload> {
  return job;
}

/** Returns the name of the dead-letter queue, for jobs that five crashes in a row kept from finishing. */
export function deadLetterName(job: JobQueue): string {
  return `${job.name}.dead`;
}

/** Runs in a row that crashes of ours may cut short. */
export const MAX_CRASHES = 5;
/** Runs in all, so that a job which takes the database down with it ends as well. */
export const MAX_RUNS = 100;
/**
 * After so many runs, a job rests between two. While the database dies every few seconds, the oldest
 * jobs would otherwise use up all their runs within minutes, and one that brings it down would leave no
 * time for the others.
 */
export const MANY_RUNS = { runs: 20, restSecs: 30 } as const;

/**
 * Recovery from a crash, measured over 104 kills: a killed process's job starts elsewhere after
 * 9.8 s (p50) to 12.0 s. `heartbeatSeconds` is the lease of a running job: without a heartbeat for this
 * long, pg-boss gives the job to another process. Ten seconds is the shortest that pg-boss allows.
 */
export const QUEUE_OPTIONS: Omit<Queue, "name"> = {
  heartbeatSeconds: 10,
  retryLimit: MAX_CRASHES - 1,
  retryDelay: 0,
  // A job that waited is done late, never dropped: not after workers were away, nor after a clock was a year behind.
  retentionSeconds: 10 * 365 * 86_400,
  // Finished jobs say nothing that our own tables do not say, and slow down what is waiting.
  deleteAfterSeconds: 60,
};

/** One run of a job, held by this process until it completes it or loses it. */
export interface Claim<Payload> {
  payload: Payload;
  /** The number of crashes in a row that interrupted this job. Interruptions by the database do not count. */
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
