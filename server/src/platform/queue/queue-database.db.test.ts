import { setTimeout as delay } from "node:timers/promises";
import { captureLog, startOwnCluster } from "#testing";
import type { OwnCluster, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect, inject, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { transact } from "../database/db.ts";
import { createLog } from "../observability/log.ts";
import { installQueue } from "./boss.ts";
import { bind, startJobRunner } from "./job-runner.ts";
import { createJobSender } from "./job-sender.ts";
import { defineJob } from "./job.ts";
import type { Claim } from "./job.ts";
import { hasRunner } from "./queue-database.ts";

const sow = defineJob({
  name: "sow",
  payload: z.strictObject({ field: z.string() }),
  expireInSecs: 60,
});

type Sowing = Claim<{ field: string }>;

async function send({ db }: TestDatabase): Promise<void> {
  await installQueue(db, [sow]);
  const sender = createJobSender(db, captureLog().log);
  await transact(db, (trx) => sender.send(trx, sow, [{ field: "north" }]));
}

/** As if the job had been begun a while ago by a process that is no more, for the last time of five. */
async function leaveOnLastTry(database: TestDatabase, beganAt: string): Promise<void> {
  await send(database);
  await database.pool.query(
    `UPDATE pgboss.job SET state = 'active', retry_count = 4, started_on = ${beganAt}, heartbeat_on = now() WHERE name = 'sow'`,
  );
}

async function loseLease({ pool }: TestDatabase): Promise<void> {
  await pool.query(
    "UPDATE pgboss.job SET heartbeat_on = now() - interval '1 minute' WHERE name = 'sow'",
  );
}

async function cutConnections({ pool }: TestDatabase): Promise<void> {
  const others = "WHERE datname = current_database() AND pid <> pg_backend_pid()";
  await pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity ${others}`);
}

/** Tests run on a PostgreSQL that may forget the last commits when it is killed. */
async function keepCommits({ database, stop, start }: OwnCluster): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  await database.pool.query(`ALTER DATABASE ${name} SET synchronous_commit = on`);
  await stop("fast");
  await start();
}

/** Runs the job, and notes the crashes that each run was told of and what came of it. */
async function work(
  { db, pool }: TestDatabase,
  run: (claim: Sowing) => Promise<void>,
): Promise<{ crashes: number[]; ends: string[] }> {
  const seen = { crashes: [] as number[], ends: [] as string[] };
  const bound = bind({
    job: sow,
    slots: 1,
    run: async (claim) => {
      seen.crashes.push(claim.crashes);
      await run(claim);
      seen.ends.push("done");
    },
    giveUp: async (claim) => {
      await transact(db, (trx) => claim.complete(trx));
      seen.ends.push("given up");
    },
  });
  const runner = await startJobRunner({ pool, log: captureLog().log, bindings: [bound] });
  onTestFinished(() => runner.stop());
  return seen;
}

// P1
it("a job outlives any number of deaths of the database, and is done once", async () => {
  const cluster = await startOwnCluster(inject("clusterUrl"));
  onTestFinished(() => cluster.remove());
  const { database } = cluster;
  await keepCommits(cluster);
  await send(database);
  let deaths = 0;
  let back = Promise.resolve();
  const seen = await work(database, (claim) =>
    transact(database.db, async (trx) => {
      await back;
      if (deaths < 6) {
        deaths += 1;
        await cluster.stop("immediate");
        // It is still away when the run fails.
        back = delay(2_000).then(() => cluster.start());
      }
      await claim.complete(trx);
    }),
  );
  // If each had to wait for its lease to run out, it would take twice as long.
  await vi.waitFor(() => expect(seen.ends).toEqual(["done"]), 40_000);
  expect(seen.crashes).toEqual(Array.from({ length: 7 }, () => 0));
}, 60_000);

// P2
databaseTest(
  "a run that nobody knows of is excused too: the answer to its claim was lost",
  async ({ database }) => {
    await leaveOnLastTry(database, "now()");
    const seen = await work(database, (claim) =>
      transact(database.db, (trx) => claim.complete(trx)),
    );
    await cutConnections(database);
    const limit = "SELECT retry_limit FROM pgboss.job WHERE name = 'sow'";
    await vi.waitFor(
      async () => expect((await database.pool.query(limit)).rows).toEqual([{ retry_limit: 9 }]),
      5_000,
    );
    await loseLease(database);
    await vi.waitFor(() => expect(seen).toEqual({ crashes: [0], ends: ["done"] }), 10_000);
  },
);

// K13
databaseTest("while the database is there, the fifth crash is the last", async ({ database }) => {
  await leaveOnLastTry(database, "now()");
  const seen = await work(database, (claim) => transact(database.db, (trx) => claim.complete(trx)));
  await loseLease(database);
  await vi.waitFor(() => expect(seen).toEqual({ crashes: [], ends: ["given up"] }), 10_000);
});

// K14
databaseTest(
  "a process that starts excuses what ran when PostgreSQL went down",
  async ({ database }) => {
    await leaveOnLastTry(database, "pg_postmaster_start_time() - interval '1 second'");
    await loseLease(database);
    const seen = await work(database, (claim) =>
      transact(database.db, (trx) => claim.complete(trx)),
    );
    await vi.waitFor(() => expect(seen).toEqual({ crashes: [0], ends: ["done"] }), 10_000);
  },
);

// P12
databaseTest(
  "a job that takes the database down with it rests between its runs, and is given up after a hundred",
  async ({ database }) => {
    await send(database);
    // All but three of them are over.
    await database.pool.query(
      "UPDATE pgboss.job SET state = 'retry', retry_count = 96, retry_limit = 99, started_on = now() WHERE name = 'sow'",
    );
    const seen = await work(database, (claim) =>
      transact(database.db, async (trx) => {
        await cutConnections(database);
        await claim.complete(trx);
      }),
    );
    const rests: number[] = [];
    await vi.waitFor(async () => {
      // Nobody waits for its rest here.
      const { rows } = await database.pool.query<{ secs: number }>(
        `UPDATE pgboss.job AS job SET start_after = now() FROM pgboss.job AS before
         WHERE job.name = 'sow' AND job.state = 'retry' AND job.start_after > now() AND before.name = job.name AND before.id = job.id
         RETURNING extract(epoch FROM before.start_after - now())::float8 AS secs`,
      );
      rests.push(...rows.map(({ secs }) => Math.ceil(secs)));
      expect(seen.ends).toEqual(["given up"]);
    }, 15_000);
    expect(seen.crashes).toHaveLength(3);
    expect(rests.every((secs) => secs > 25 && secs <= 30)).toBe(true);
    expect(rests.length).toBeGreaterThan(0);
  },
);

databaseTest(
  "a runner is known while it runs, and forgotten when it is gone",
  async ({ database }) => {
    const { db, pool } = database;
    expect(await hasRunner(db)).toBe(false);
    const runner = await startJobRunner({ pool, log: createLog("silent"), bindings: [] });
    await vi.waitUntil(() => hasRunner(db), { timeout: 8_000, interval: 200 });
    await runner.stop();
    // Ten seconds later.
    await pool.query(
      "UPDATE pgboss.queue SET monitor_claim_on = monitor_claim_on - interval '10 seconds'",
    );
    expect(await hasRunner(db)).toBe(false);
  },
);
