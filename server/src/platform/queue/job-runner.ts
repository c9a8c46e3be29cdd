import type pg from "pg";
import type { Log } from "../observability/log.ts";
import { createBoss } from "./boss.ts";
import { deadLetterName } from "./job.ts";
import type { Claim, Job, JobQueue } from "./job.ts";
import { QueueDatabase, undoFutureStamps } from "./queue-database.ts";
import { Worker } from "./worker.ts";
import type { RunOutcome, WorkerOptions } from "./worker.ts";

/** A job and what does it. */
export interface JobBinding<Payload extends object> {
  job: Job<Payload>;
  /** Most at once in this process. */
  slots: number;
  /** Must complete its claim. */
  run: (claim: Claim<Payload>) => Promise<void>;
  /** For a job that has been cut short five times: nobody will run it again. Must complete its claim. */
  giveUp: (claim: Claim<Payload>) => Promise<void>;
}

/** A binding whose payload only its own schema and its own functions know. */
export interface BoundJob {
  job: JobQueue;
  slots: number;
  startWorkers(shared: Shared & Finished): Stoppable[];
}

type Shared = Pick<WorkerOptions<object>, "boss" | "database" | "log">;
type Finished = { onFinished: (job: string, outcome: RunOutcome, tookMs: number) => void };
type Stoppable = Pick<Worker<object>, "poke" | "stop" | "held">;

export function bind<Payload extends object>(binding: JobBinding<Payload>): BoundJob {
  const { job, slots, run, giveUp } = binding;
  return {
    job,
    slots,
    startWorkers: ({ onFinished, ...shared }) => [
      new Worker({
        ...shared,
        job,
        slots,
        run,
        queue: job.name,
        onFinished: (outcome, tookMs) => onFinished(job.name, outcome, tookMs),
      }),
      new Worker({ ...shared, job, slots: 1, run: giveUp, queue: deadLetterName(job) }),
    ],
  };
}

export interface JobRunner {
  /** Looks for jobs of that kind now instead of at the next poll. */
  poke(job: JobQueue): void;
  /** The jobs that run in this process, and the most that may. */
  readonly load: { jobs: number; jobSlots: number };
  /** Takes no more jobs and waits for those that run. */
  stop(): Promise<void>;
}

export interface JobRunnerOptions {
  /** For taking jobs, keeping leases and maintenance: each is one short statement. */
  pool: pg.Pool;
  log: Log;
  bindings: BoundJob[];
  onFinished?: Finished["onFinished"];
}

const SUPERVISION = {
  supervise: true,
  superviseIntervalSeconds: 2,
  monitorIntervalSeconds: 2,
  maintenanceIntervalSeconds: 60,
} as const;

/** How long a clock that went back can keep jobs waiting. */
const LOOK_OVER_MS = 10_000;

export async function startJobRunner(options: JobRunnerOptions): Promise<JobRunner> {
  const { pool, log, bindings, onFinished = () => undefined } = options;
  const database = new QueueDatabase(pool);
  const boss = createBoss(database, log, SUPERVISION);
  await boss.start();
  const shared = { boss, database, log, onFinished };
  const undo = () =>
    undoFutureStamps(database).catch((error: unknown) =>
      log.warn({ err: error }, "queue: stamps could not be looked over"),
    );
  await undo();
  const undoing = setInterval(() => void undo(), LOOK_OVER_MS).unref();
  const workers = new Map(bindings.map((bound) => [bound.job.name, bound.startWorkers(shared)]));
  return {
    poke: (job) => workers.get(job.name)?.forEach((worker) => worker.poke()),
    get load() {
      const jobs = [...workers.values()].flat().reduce((sum, worker) => sum + worker.held, 0);
      return { jobs, jobSlots: bindings.reduce((sum, { slots }) => sum + slots, 0) };
    },
    stop: async () => {
      clearInterval(undoing);
      await Promise.all([...workers.values()].flat().map((worker) => worker.stop()));
      await boss.stop({ graceful: false });
    },
  };
}
