import { setTimeout as delay } from "node:timers/promises";
import { captureLog } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { createDb, createPool, transact } from "../database/db.ts";
import { installQueue } from "./boss.ts";
import { bind, startJobRunner } from "./job-runner.ts";
import type { JobBinding } from "./job-runner.ts";
import { createJobSender } from "./job-sender.ts";
import { ClaimLost, defineJob } from "./job.ts";
import type { Claim } from "./job.ts";

const greet = defineJob({
  name: "greet",
  payload: z.strictObject({ name: z.string() }),
  expireInSecs: 20,
});

type Greeting = Claim<{ name: string }>;

async function queueIn({ db, pool }: TestDatabase): Promise<{
  send(...names: string[]): Promise<void>;
  work(binding: Partial<JobBinding<{ name: string }>>): Promise<void>;
}> {
  await installQueue(db, [greet]);
  const { log } = captureLog();
  const sender = createJobSender(db, log);
  const complete = (claim: Greeting): Promise<void> => transact(db, (trx) => claim.complete(trx));
  return {
    send: (...names) =>
      transact(db, (trx) =>
        sender.send(
          trx,
          greet,
          names.map((name) => ({ name })),
        ),
      ),
    work: async (binding) => {
      const bound = bind({ job: greet, slots: 2, run: complete, giveUp: complete, ...binding });
      const runner = await startJobRunner({ pool, log, bindings: [bound] });
      onTestFinished(() => runner.stop());
    },
  };
}

/** Runs that note when they begin, and never end. */
function neverEnding(): { run: (claim: Greeting) => Promise<void>; began: Greeting[] } {
  const began: Greeting[] = [];
  return {
    began,
    run: (claim) => {
      began.push(claim);
      return new Promise((_, reject) => {
        claim.signal.addEventListener("abort", () => reject(claim.signal.reason as Error));
      });
    },
  };
}

const states = async ({ pool }: TestDatabase): Promise<string[]> => {
  const { rows } = await pool.query<{ state: string }>(
    "SELECT state FROM pgboss.job WHERE name LIKE 'greet%' ORDER BY state::text",
  );
  return rows.map(({ state }) => state);
};

describe("the queue", () => {
  databaseTest(
    "runs what was sent, and ends it in the run's own transaction",
    async ({ database }) => {
      const queue = await queueIn(database);
      await queue.send("Ada", "Ben", "Cem");
      const greeted: string[] = [];
      await queue.work({
        run: async (claim) => {
          await transact(database.db, (trx) => claim.complete(trx));
          greeted.push(claim.payload.name);
        },
      });
      await vi.waitFor(() => expect(greeted.toSorted()).toEqual(["Ada", "Ben", "Cem"]), 5_000);
      expect(await states(database)).toEqual(["completed", "completed", "completed"]);
    },
  );

  // K4
  databaseTest("a transaction that is rolled back leaves no job", async ({ database }) => {
    const { db } = database;
    await installQueue(db, [greet]);
    const sender = createJobSender(db, captureLog().log);
    await expect(
      transact(db, async (trx) => {
        await sender.send(trx, greet, [{ name: "Ada" }]);
        throw new Error("never mind");
      }),
    ).rejects.toThrow("never mind");
    expect(await states(database)).toEqual([]);
  });

  databaseTest("never runs more at once than it has slots", async ({ database }) => {
    const queue = await queueIn(database);
    await queue.send(...Array.from({ length: 12 }, (_, index) => `visitor ${index}`));
    let running = 0;
    const seen: number[] = [];
    await queue.work({
      slots: 3,
      run: async (claim) => {
        seen.push(++running);
        await delay(20);
        running -= 1;
        await transact(database.db, (trx) => claim.complete(trx));
      },
    });
    await vi.waitFor(() => expect(seen).toHaveLength(12), 10_000);
    expect(Math.max(...seen)).toBe(3);
  });

  databaseTest("a run that fails is tried again, and given up after five", async ({ database }) => {
    const queue = await queueIn(database);
    await queue.send("Ada");
    const crashes: number[] = [];
    const givenUp: string[] = [];
    await queue.work({
      run: async (claim) => {
        crashes.push(claim.crashes);
        throw new Error("no luck");
      },
      giveUp: async (claim) => {
        await transact(database.db, (trx) => claim.complete(trx));
        givenUp.push(claim.payload.name);
      },
    });
    await vi.waitFor(() => expect(givenUp).toEqual(["Ada"]), 15_000);
    expect(crashes).toEqual([0, 1, 2, 3, 4]);
  });

  // O2
  databaseTest(
    "what was sent, or held by a process that died, while the database's clock was a year ahead runs when it is back",
    async ({ database }) => {
      const queue = await queueIn(database);
      await queue.send("Ada", "Ben");
      await database.pool.query(`
        UPDATE pgboss.job SET created_on = created_on + interval '1 year', start_after = start_after + interval '1 year';
        UPDATE pgboss.job SET state = 'active', started_on = created_on, heartbeat_on = created_on WHERE data ->> 'name' = 'Ben';
        UPDATE pgboss.queue SET monitor_claim_on = now() + interval '1 year'`);
      const greeted: string[] = [];
      await queue.work({
        run: async (claim) => {
          await transact(database.db, (trx) => claim.complete(trx));
          greeted.push(claim.payload.name);
        },
      });
      await vi.waitFor(() => expect(greeted).toEqual(["Ada", "Ben"]), 20_000);
    },
  );

  // K15
  databaseTest("a run whose claim went elsewhere writes nothing", async ({ database }) => {
    const { db, pool } = database;
    await pool.query("CREATE TABLE greetings (name text)");
    const queue = await queueIn(database);
    await queue.send("Ada");
    const outcome = Promise.withResolvers<unknown>();
    await queue.work({
      slots: 1,
      run: async (claim) => {
        if (claim.crashes > 0) return transact(db, (trx) => claim.complete(trx));
        // As if this process had been frozen past its lease and another one had taken the job.
        await pool.query(
          "UPDATE pgboss.job SET retry_count = retry_count + 1 WHERE name = 'greet'",
        );
        await transact(db, async (trx) => {
          await trx
            .withTables<{ greetings: { name: string } }>()
            .insertInto("greetings")
            .values({ name: claim.payload.name })
            .execute();
          await claim.complete(trx);
        }).catch((error: unknown) => {
          outcome.resolve(error);
          throw error;
        });
      },
    });
    expect(await outcome.promise).toBeInstanceOf(ClaimLost);
    expect((await pool.query("SELECT * FROM greetings")).rows).toEqual([]);
  });

  // K7
  databaseTest("a run whose lease ran out is another's", async ({ database }) => {
    const { pool } = database;
    const queue = await queueIn(database);
    await queue.send("Ada");
    const { run, began } = neverEnding();
    await queue.work({ run });
    await vi.waitFor(() => expect(began).toHaveLength(1));
    // As if its process had been killed ten seconds ago.
    const expire = "UPDATE pgboss.job SET heartbeat_on = now() - interval '10 seconds'";
    await pool.query(`${expire} WHERE name = 'greet'`);
    await vi.waitFor(() => expect(began).toHaveLength(2), 8_000);
    expect(began.map(({ crashes }) => crashes)).toEqual([0, 1]);
    await vi.waitFor(() => expect(began[0]!.signal.reason).toBeInstanceOf(ClaimLost), 5_000);
    expect(began[1]!.signal.aborted).toBe(false);
    await pool.query("DELETE FROM pgboss.job WHERE name = 'greet'");
    await vi.waitFor(() => expect(began[1]!.signal.aborted).toBe(true), 5_000);
  });

  databaseTest("a run keeps its lease for as long as it goes on", async ({ database }) => {
    const { db, pool } = database;
    const queue = await queueIn(database);
    await queue.send("Ada");
    await pool.query("UPDATE pgboss.job SET heartbeat_seconds = 4 WHERE name = 'greet'");
    const crashes: number[] = [];
    const done = Promise.withResolvers<void>();
    await queue.work({
      run: async (claim) => {
        crashes.push(claim.crashes);
        await delay(7_000);
        await transact(db, (trx) => claim.complete(trx));
        done.resolve();
      },
    });
    await done.promise;
    expect(crashes).toEqual([0]);
  });

  // P3
  databaseTest("survives the end of every connection", async ({ database }) => {
    const { db, pool } = database;
    const queue = await queueIn(database);
    await queue.send("Ada", "Ben", "Cem", "Dea");
    const done: string[] = [];
    await queue.work({
      run: async (claim) => {
        await delay(150);
        await transact(db, (trx) => claim.complete(trx));
        done.push(claim.payload.name);
      },
    });
    for (let i = 0; i < 5; i++) {
      await delay(100);
      const others = "WHERE datname = current_database() AND pid <> pg_backend_pid()";
      await pool
        .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity ${others}`)
        .catch(() => undefined);
    }
    await vi.waitFor(() => expect(done.toSorted()).toEqual(["Ada", "Ben", "Cem", "Dea"]), 15_000);
    expect(await states(database)).toEqual(["completed", "completed", "completed", "completed"]);
  });

  databaseTest("what is urgent goes first, what is for later waits", async ({ database }) => {
    const { db } = database;
    const queue = await queueIn(database);
    const sender = createJobSender(db, captureLog().log);
    await transact(db, async (trx) => {
      await sender.send(trx, greet, [{ name: "later" }], { afterSecs: 2, priority: 5 });
      await sender.send(trx, greet, [{ name: "plain" }]);
      await sender.send(trx, greet, [{ name: "urgent" }], { priority: 1 });
    });
    const greeted: string[] = [];
    await queue.work({
      slots: 1,
      run: async (claim) => {
        await transact(db, (trx) => claim.complete(trx));
        greeted.push(claim.payload.name);
      },
    });
    await vi.waitFor(() => expect(greeted).toHaveLength(2));
    await delay(1_000);
    expect(greeted).toEqual(["urgent", "plain"]);
    await vi.waitFor(() => expect(greeted).toEqual(["urgent", "plain", "later"]), 5_000);
  });

  // O6
  databaseTest("is installed by any number of processes, at every start", async ({ database }) => {
    const { db, pool } = database;
    await Promise.all([1, 2, 3].map(() => installQueue(db, [greet])));
    await installQueue(db, [{ ...greet, expireInSecs: 40 }]);
    const { rows } = await pool.query(
      "SELECT name, expire_seconds, dead_letter FROM pgboss.queue WHERE name LIKE 'greet%' ORDER BY name",
    );
    expect(rows).toEqual([
      { name: "greet", expire_seconds: 40, dead_letter: "greet.dead" },
      { name: "greet.dead", expire_seconds: 900, dead_letter: null },
    ]);
  });

  databaseTest("stopping waits for what runs and takes nothing more", async ({ database }) => {
    const { db, pool } = database;
    const queue = await queueIn(database);
    await queue.send("Ada");
    const began = Promise.withResolvers<void>();
    const done: string[] = [];
    const bound = bind({
      job: greet,
      slots: 1,
      run: async (claim) => {
        began.resolve();
        await delay(300);
        await transact(db, (trx) => claim.complete(trx));
        done.push(claim.payload.name);
      },
      giveUp: async () => undefined,
    });
    const runner = await startJobRunner({ pool, log: captureLog().log, bindings: [bound] });
    await began.promise;
    await queue.send("Ben");
    await runner.stop();
    expect(done).toEqual(["Ada"]);
    expect(await states(database)).toEqual(["completed", "created"]);
  });

  databaseTest("a payload that does not fit its job is given up, not run", async ({ database }) => {
    const { db } = database;
    await installQueue(db, [greet]);
    const wrong = defineJob({ ...greet, payload: z.object({ nobody: z.string() }) });
    const sender = createJobSender(db, captureLog().log);
    await transact(db, (trx) => sender.send(trx, wrong, [{ nobody: "at all" }]));
    const run = vi.fn<(claim: Greeting) => Promise<void>>();
    const queue = await queueIn(database);
    await queue.work({ run });
    await delay(1_500);
    expect(run).not.toHaveBeenCalled();
    expect(await states(database)).not.toContain("completed");
  });
});

databaseTest(
  "the first jobs of a process can be sent while every connection is in a transaction",
  async ({ database }) => {
    await installQueue(database.db, [greet]);
    const { log } = captureLog();
    const pool = createPool(
      { url: database.url, name: "narrow", maxConnections: 2, statementTimeoutMs: 5_000 },
      log,
    );
    const db = createDb(pool);
    onTestFinished(() => db.destroy());
    const sender = createJobSender(db, log);
    await Promise.all(
      ["Ada", "Ben"].map((name) =>
        transact(db, async (trx) => {
          // Both hold their connection before either sends.
          await delay(100);
          await sender.send(trx, greet, [{ name }]);
        }),
      ),
    );
    expect(await states(database)).toEqual(["created", "created"]);
  },
);
