import { setTimeout as delay } from "node:timers/promises";
import type { JobWithMetadata as BossJob, PgBoss } from "pg-boss";
import { isDatabaseAway } from "../database/db.ts";
import type { Trx } from "../database/db.ts";
import type { Log } from "../observability/log.ts";
import { inTransaction, settledJobs } from "./boss.ts";
import { ClaimLost, MAX_CRASHES } from "./job.ts";
import type { Claim, Job } from "./job.ts";
import type { QueueDatabase } from "./queue-database.ts";

export interface WorkerOptions<Payload extends object> {
  boss: PgBoss;
  database: QueueDatabase;
  log: Log;
  /** The queue it takes jobs from: the job's own, or that of its dead letters. */
  queue: string;
  job: Job<Payload>;
  /** Most jobs at once. */
  slots: number;
  /** Must complete its claim. */
  run: (claim: Claim<Payload>) => Promise<void>;
  onFinished?: (outcome: RunOutcome, tookMs: number) => void;
}

/** `lost`: another process has the job now. */
export type RunOutcome = "done" | "failed" | "lost";

const POLL_MS = 250;
/** The number of slots that must be free for a look between two polls. */
const MIN_FREE = 4;
/** The interval of a running job's heartbeat: a quarter of its lease, so that three in a row may get lost. */
const HEARTBEAT_MS = 2_500;
/** The backoff before a failed run is given back to the queue. Without it, a run that fails at once would use up its five attempts within a second. */
const BACKOFF_MS = 1_000;

/**
 * Takes jobs as slots get free, renews their leases, and looks for more every 250 ms or when poked:
 * pg-boss's own workers look every 500 ms and reach half the rate.
 */
export class Worker<Payload extends object> {
  readonly #options: WorkerOptions<Payload>;
  readonly #held = new Set<{ job: BossJob; abort: AbortController }>();
  readonly #polling: NodeJS.Timeout;
  readonly #heartbeat: NodeJS.Timeout;
  #claiming = false;
  /** True when the last look filled every free slot, so there may be more jobs. */
  #isBehind = false;
  #again = false;
  #stopping = false;

  constructor(options: WorkerOptions<Payload>) {
    this.#options = options;
    this.#polling = setInterval(() => this.poke(), POLL_MS);
    this.#heartbeat = setInterval(() => void this.#renewLeases(), HEARTBEAT_MS);
    this.poke();
  }

  /** The number of jobs that it runs. */
  get held(): number {
    return this.#held.size;
  }

  /** Looks for jobs now. */
  poke(): void {
    this.#again = true;
    if (!this.#claiming) void this.#claim();
  }

  /** Takes nothing more, and waits for what it holds. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#polling);
    // A fetch that is under way brings jobs that this worker then holds.
    while (this.#claiming || this.#held.size > 0) await delay(20);
    clearInterval(this.#heartbeat);
  }

  async #claim(): Promise<void> {
    const { boss, queue, slots } = this.#options;
    this.#claiming = true;
    try {
      while (this.#again && !this.#stopping) {
        this.#again = false;
        const free = slots - this.#held.size;
        if (free === 0) break;
        const jobs = await boss.fetch<object>(queue, { batchSize: free, includeMetadata: true });
        this.#isBehind = jobs.length === free;
        for (const job of jobs) void this.#run(job);
      }
    } catch (error) {
      this.#options.log.warn({ err: error, queue }, "queue: no jobs could be taken");
      this.#again = false;
    } finally {
      this.#claiming = false;
    }
  }

  async #run(job: BossJob): Promise<void> {
    const { database, log, queue, onFinished } = this.#options;
    const abort = new AbortController();
    // It lost this job's claim without a notice, and now has it again.
    for (const lost of this.#held) if (lost.job.id === job.id) lost.abort.abort(new ClaimLost());
    const held = { job, abort };
    this.#held.add(held);
    const expiry = setTimeout(() => abort.abort(new ClaimLost()), job.expireInSeconds * 1_000);
    const startedAt = performance.now();
    let outcome: RunOutcome = "done";
    try {
      await this.#options.run(this.#claimOf(job, abort.signal));
    } catch (error) {
      outcome = error instanceof ClaimLost || abort.signal.aborted ? "lost" : "failed";
      log.warn(
        { err: error, queue, job: job.id, crashes: crashesOf(job), outcome },
        "job not done",
      );
      if (isDatabaseAway(error)) database.noteAway();
      if (outcome === "failed") await this.#fail(job, abort.signal);
    } finally {
      clearTimeout(expiry);
      this.#held.delete(held);
      onFinished?.(outcome, performance.now() - startedAt);
      // A look costs as much as a job: with a few slots free it brings a few.
      const free = this.#options.slots - this.#held.size;
      if (this.#isBehind && free >= Math.min(MIN_FREE, this.#options.slots)) this.poke();
    }
  }

  #claimOf(job: BossJob, signal: AbortSignal): Claim<Payload> {
    const { boss, queue } = this.#options;
    return {
      payload: this.#options.job.payload.parse(job.data),
      crashes: crashesOf(job),
      signal,
      complete: async (trx: Trx) => {
        const attempt = { id: job.id, retryCount: job.retryCount };
        const answer = await boss.complete(queue, attempt, null, { db: inTransaction(trx) });
        if (settledJobs(answer).length === 0) throw new ClaimLost();
      },
    };
  }

  /** Until the database has heard it, or another process has the job: waiting for its lease to run out takes ten seconds. */
  async #fail(job: BossJob, signal: AbortSignal): Promise<void> {
    const { boss, queue } = this.#options;
    const attempt = { id: job.id, retryCount: job.retryCount };
    for (;;) {
      await delay(BACKOFF_MS);
      const isHeard = await boss.fail(queue, attempt).then(
        () => true,
        () => false,
      );
      if (isHeard || signal.aborted || this.#stopping) return;
    }
  }

  async #renewLeases(): Promise<void> {
    const held = [...this.#held];
    if (held.length === 0) return;
    const attempts = held.map(({ job: { id, retryCount } }) => ({ id, retryCount }));
    try {
      const kept = new Set(
        settledJobs(await this.#options.boss.touch(this.#options.queue, attempts)),
      );
      for (const { job, abort } of held) if (!kept.has(job.id)) abort.abort(new ClaimLost());
    } catch {
      // Says nothing about the claims: the database is away.
    }
  }
}

/** Returns how many of a job's five attempts have been used up. */
function crashesOf({ retryCount, retryLimit }: BossJob): number {
  return Math.max(0, MAX_CRASHES - 1 - (retryLimit - retryCount));
}
