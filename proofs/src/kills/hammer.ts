import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { TestDatabase } from "@svc/server/testing";
import type { Random } from "@svc/tools/random";
import type { Stage } from "../stage/stage.ts";
import type { Fleet } from "./fleet.ts";
import type { Interruption } from "./job-log.ts";
import { persist } from "./load.ts";

/** What was killed or frozen beside the processes of the fleet. */
export interface Blows {
  /** Single backends; PostgreSQL ends all others when one dies. */
  backends: number;
  /** The whole PostgreSQL. */
  postgres: number;
  /** When PostgreSQL was away. */
  outages: Span[];
  frozen: Record<JobKind, Frozen>;
}

export interface Span {
  fromMs: number;
  toMs: number;
}

/** A process that was stopped until its lease had run out, and then continued. */
export interface Frozen {
  since: Interruption;
  /** Jobs that it held when it was frozen. */
  held: number;
  /** Of these, the jobs that it completed after its lease was gone. */
  writtenLate: number;
}

export interface HammerOptions {
  stage: Stage;
  fleet: Fleet;
  /** Its process is killed together with those of the fleet. */
  control: { kill(): void };
  random: Random;
  /** Whether enough was killed, given how many kills of all kinds there were. */
  isEnough(kills: number): boolean;
  hasTime(): boolean;
}

/** A lease lasts ten seconds, and is looked at every two. */
const FROZEN_MS = 14_000;
/** A frozen process waits so long between an answer and writing it, to be frozen there. */
const PAUSE_MS = 2_000;
/** Few slots, so that a frozen process does not hold all the work that others could fail at. */
const FREEZABLE = {
  evaluate: {
    jobs: ["session-ended", "evaluate"],
    environment: {
      SVC_EVALUATE_AT_ONCE: "6",
      SVC_FAILPOINTS: `evaluate:answered=delay(${PAUSE_MS})`,
    },
  },
  deliver: {
    jobs: ["deliver"],
    environment: {
      SVC_DELIVER_AT_ONCE: "6",
      SVC_FAILPOINTS: `deliver:answered=delay(${PAUSE_MS})`,
    },
  },
};
type JobKind = keyof typeof FREEZABLE;

/** Of ten blows, the ones that hit PostgreSQL. A job that it cuts short must not be given up for that. */
const BACKEND_BLOWS = [2, 6];
const POSTGRES_BLOW = 9;
/** More than the crashes of ours after which a job is given up. */
const ENOUGH_OUTAGES = 6;
const MAX_MS_BETWEEN = 1_000;

/** Kills processes and PostgreSQL until it is enough. Two processes are frozen meanwhile. */
export async function hammer(options: HammerOptions): Promise<Blows> {
  const { stage, fleet, control, random } = options;
  const postgres = await makeKillable(stage);
  const outages: Span[] = [];
  let backends = 0;
  let wholes = 0;
  let isFrozen = true;
  const freezing = Promise.all([
    freezeOne(fleet, stage.database, "evaluate"),
    freezeOne(fleet, stage.database, "deliver"),
  ]).then(([evaluate, deliver]) => {
    isFrozen = false;
    return { evaluate, deliver };
  });

  for (let blow = 0; options.hasTime(); blow++) {
    const isEnough = options.isEnough(fleet.deaths.length + backends + wholes);
    if (isEnough && outages.length >= ENOUGH_OUTAGES && wholes > 0) break;
    await delay(random.integer(0, MAX_MS_BETWEEN));
    const fromMs = Date.now();
    // A frozen process that has lost its connections could not write late even if it tried.
    if (!isFrozen && blow % 10 === POSTGRES_BLOW) {
      await postgres.kill();
      wholes += 1;
      outages.push({ fromMs, toMs: Date.now() });
    } else if (!isFrozen && BACKEND_BLOWS.includes(blow % 10)) {
      if (await postgres.killBackend()) backends += 1;
      outages.push({ fromMs, toMs: Date.now() });
    } else {
      const working = fleet.working();
      // One process stays: without any there is nobody to recover the jobs.
      if (working.length > 1) random.pick(working).signal("SIGKILL");
      control.kill();
    }
  }
  return { backends, postgres: wholes, outages, frozen: await freezing };
}

async function freezeOne(fleet: Fleet, { pool }: TestDatabase, kind: JobKind): Promise<Frozen> {
  const { environment, jobs: names } = FREEZABLE[kind];
  const one = fleet.start(environment);
  const watching = fleet.watch(one);
  await one.started;
  const held = async (): Promise<{ job: string; tries: number }[]> =>
    (
      await pool.query<{ job: string; tries: number }>(
        `SELECT job, tries FROM job_log AS taken
         WHERE worker = $1 AND name = ANY ($2) AND state = 'active' AND at > clock_timestamp() - interval '1 second'
           AND NOT EXISTS (SELECT FROM job_log WHERE job = taken.job AND tries = taken.tries AND state = 'completed')`,
        [one.name, names],
      )
    ).rows;
  while (one.isWorking() && (await persist(held)).length === 0) await delay(50);
  one.signal("SIGSTOP");
  const since = { atMs: Date.now(), worker: one.name };
  const jobs = await persist(held);
  await delay(FROZEN_MS);
  const thawedAt = new Date();
  one.signal("SIGCONT");
  await delay(PAUSE_MS + 1_000);
  one.signal("SIGKILL");
  await watching;
  const late = await persist(() =>
    pool.query(
      `SELECT 1 FROM job_log JOIN unnest($2::uuid[], $3::integer[]) AS held (job, tries) USING (job, tries)
       WHERE worker = $1 AND state = 'completed' AND at > $4`,
      [one.name, jobs.map(({ job }) => job), jobs.map(({ tries }) => tries), thawedAt],
    ),
  );
  return { since, held: jobs.length, writtenLate: late.rowCount ?? 0 };
}

/** The stage's PostgreSQL, to be killed with SIGKILL and to come back. */
export interface KillablePostgres {
  /** Kills the postmaster, starts it again after that time and waits until it takes connections. */
  kill(downMs?: number): Promise<void>;
  /** Kills the backend of one connection. False where there was none. */
  killBackend(): Promise<boolean>;
}

export async function makeKillable({ cluster, database }: Stage): Promise<KillablePostgres> {
  const { rows } = await database.pool.query<{ bin: string }>(
    "SELECT setting AS bin FROM pg_config WHERE name = 'BINDIR'",
  );
  const data = join(cluster.directory, "data");
  const { uid, gid } = await stat(data);
  const restart = ["-D", data, "-w", "-l", join(cluster.directory, "log"), "restart"];
  const settles = (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      () => false,
    );
  async function comeBack(): Promise<void> {
    while (!(await settles(database.pool.query("SELECT 1")))) await delay(50);
  }
  return {
    async kill(downMs = 0) {
      const pid = await cluster.pid();
      // A pid file that is read while it is being written is empty; 0 would be our own process group.
      if (!(pid > 1)) throw new Error("PostgreSQL has no process to kill.");
      process.kill(pid, "SIGKILL");
      // A new postmaster refuses to start until the children of the old one have let go of its memory.
      const pgCtl = join(rows[0]!.bin, "pg_ctl");
      const start = (): Promise<unknown> =>
        promisify(execFile)(pgCtl, restart, { cwd: cluster.directory, uid, gid });
      await delay(downMs);
      while (!(await settles(start()))) await delay(100);
      await comeBack();
    },
    async killBackend() {
      const found = await database.pool
        .query<{ pid: number }>(
          "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1",
        )
        .catch(() => ({ rows: [] }));
      const pid = found.rows[0]?.pid;
      if (pid === undefined) return false;
      process.kill(pid, "SIGKILL");
      await delay(50);
      await comeBack();
      return true;
    },
  };
}
