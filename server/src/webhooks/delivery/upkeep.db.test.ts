import { addReceiver, evaluateAgain, openPostOffice, playEvaluated } from "#testing";
import type { PostOffice, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { replayDeliveries } from "../operator/replay.ts";
import { admitDue } from "./delivery-store.ts";
import { countDeliveries, forgetDeliveries } from "./upkeep.ts";

async function open(database: TestDatabase): Promise<PostOffice> {
  const post = await openPostOffice(database, {
    admit: (trx) => admitDue(trx, { slots: 8, limit: 200 }),
    answer: () => 500,
  });
  onTestFinished(post.close);
  return post;
}

describe("old deliveries", () => {
  databaseTest(
    "are forgotten with their events and tries, a few at a time",
    async ({ database }) => {
      const { db, pool } = database;
      const post = await open(database);
      for (let count = 0; count < 5; count++) await playEvaluated(db, post.customer);
      for (let tried = 0; tried < 3; tried++) await post.tryAll();
      expect(await forgetDeliveries(db, 30, 100)).toBe(0);
      await pool.query(
        "UPDATE webhook_events SET at = now() - interval '31 days'; UPDATE deliveries SET finished_at = now() - interval '31 days'",
      );
      await pool.query("UPDATE deliveries SET finished_at = now() WHERE id = 5");
      expect(await forgetDeliveries(db, 30, 3)).toBe(3);
      expect(await forgetDeliveries(db, 30, 3)).toBe(1);
      const { rows } = await pool.query("SELECT id FROM deliveries");
      expect(rows).toEqual([{ id: "5" }]);
      const { rowCount } = await pool.query("SELECT FROM delivery_attempts");
      expect(rowCount).toBe(3);
    },
  );

  databaseTest(
    "are forgotten beside one that waits, and its bytes are kept",
    async ({ database }) => {
      const { db, pool } = database;
      const post = await open(database);
      await addReceiver(db, post.customer, post.receiver.url);
      await playEvaluated(db, post.customer);
      for (let tried = 0; tried < 3; tried++) await post.tryAll();
      await pool.query(
        "UPDATE webhook_events SET at = now() - interval '400 days'; UPDATE deliveries SET finished_at = now() - interval '31 days' WHERE id = 1; UPDATE deliveries SET finished_at = NULL, state = 'waiting' WHERE id = 2",
      );
      expect(await forgetDeliveries(db, 30, 100)).toBe(1);
      expect((await pool.query("SELECT id FROM deliveries")).rows).toEqual([{ id: "2" }]);
      const { rows } = await pool.query("SELECT DISTINCT delivery_id AS id FROM delivery_attempts");
      expect(rows).toEqual([{ id: "2" }]);
      expect((await pool.query("SELECT FROM webhook_events")).rowCount).toBe(1);
      expect(await forgetDeliveries(db, 30, 100)).toBe(0);
    },
  );

  databaseTest("go when their session is erased", async ({ database }) => {
    const { db, pool } = database;
    const post = await open(database);
    const { id } = await playEvaluated(db, post.customer);
    await post.tryAll();
    await pool.query("DELETE FROM evaluations WHERE session_id = $1", [id]);
    await pool.query("DELETE FROM sessions WHERE id = $1", [id]);
    for (const table of ["webhook_events", "deliveries", "delivery_attempts"]) {
      const { rowCount } = await pool.query(`SELECT FROM ${table}`);
      expect(rowCount, table).toBe(0);
    }
  });
});

databaseTest("what waits, runs or failed is counted for the alarms", async ({ database }) => {
  const { db, pool } = database;
  const post = await open(database);
  expect(await countDeliveries(db)).toMatchObject({
    states: { waiting: 0, running: 0, exhausted: 0, orphaned: 0 },
    oldestDueSecs: 0,
  });
  const { id } = await playEvaluated(db, post.customer);
  for (let count = 0; count < 3; count++) await playEvaluated(db, post.customer);
  for (let tried = 0; tried < 3; tried++) await post.tryAll();
  await pool.query("UPDATE deliveries SET state = 'orphaned' WHERE id = 4");
  // Followed by a replay, and by a re-evaluation: neither counts as failed any more.
  await replayDeliveries(db, "ada", { ids: ["2"] });
  await evaluateAgain(db, id);
  await pool.query("UPDATE deliveries SET due_at = now() - interval '90 s' WHERE id = 5");
  const counts = await countDeliveries(db);
  expect(counts.states).toEqual({ waiting: 2, held: 0, running: 0, exhausted: 1, orphaned: 1 });
  expect(counts.oldestDueSecs).toBeGreaterThan(89);
  expect(counts.oldestDueSecs).toBeLessThan(120);
});
