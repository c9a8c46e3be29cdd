import { databaseTest } from "#testing/database-test";
import { expect, vi } from "vitest";
import { createLog } from "../observability/log.ts";
import { hasRunner } from "./has-runner.ts";
import { startJobRunner } from "./job-runner.ts";

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
