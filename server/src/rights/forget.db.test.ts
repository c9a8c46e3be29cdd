import { changeSettings } from "#accounts";
import { transact } from "#platform";
import { dropEmptyLogDays, makeLogPartitions } from "#sessions";
import { addCustomer, playEvaluated, playSession, start, tracesOf } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { sql } from "kysely";
import { describe, expect } from "vitest";
import { retainOnce } from "./forget.ts";

/** Moves a session that many days into the past. */
async function age({ pool }: TestDatabase, id: string, days: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    // Export rows refer to a session by its start, so both move at once.
    await client.query("SET LOCAL session_replication_role = replica");
    const back = "- make_interval(days => $2)";
    const rows: [table: string, column: string, key: string][] = [
      ["sessions", "created_at", "id"],
      ["session_exports", "created_at", "id"],
      ["turns", "session_at", "session_id"],
    ];
    for (const [table, column, key] of rows) {
      await client.query(`UPDATE ${table} SET ${column} = ${column} ${back} WHERE ${key} = $1`, [
        id,
        days,
      ]);
    }
    await client.query("COMMIT");
  } finally {
    client.release();
  }
}

async function sessionOfAge(
  database: TestDatabase,
  customer: Customer,
  days: number,
): Promise<string> {
  const { id } = await playSession(database.db, customer);
  await age(database, id, days);
  return id;
}

async function keep({ db }: TestDatabase, customer: Customer, days: number): Promise<void> {
  await transact(db, (trx) =>
    changeSettings(trx, "ada", customer.account.id, { retentionDays: days }),
  );
}

async function left({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM sessions ORDER BY created_at");
  return rows.map(({ id }) => id);
}

// G2
describe("retention", () => {
  databaseTest("is 365 days, or as long as the account says", async ({ database }) => {
    const [usual, brief] = [await addCustomer(database.db), await addCustomer(database.db)];
    await keep(database, brief, 7);
    const gone = [await sessionOfAge(database, usual, 366), await sessionOfAge(database, brief, 8)];
    const kept = [await sessionOfAge(database, usual, 364), await sessionOfAge(database, brief, 6)];
    // One account in each batch.
    expect(await retainOnce(database.db, 100)).toBe(1);
    expect(await retainOnce(database.db, 100)).toBe(1);
    expect(await retainOnce(database.db, 100)).toBe(0);
    expect(await left(database)).toEqual(kept);
    for (const id of gone) expect(await tracesOf(database, id)).toEqual([]);
  });

  databaseTest("takes the oldest first, a few at a time", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const ages = [400, 500, 450];
    const ids = [];
    for (const days of ages) ids.push(await sessionOfAge(database, customer, days));
    expect(await retainOnce(database.db, 2)).toBe(2);
    expect(await left(database)).toEqual([ids[0]]);
  });

  databaseTest("takes nothing that is not settled", async ({ database }) => {
    const { id } = await start(database.db, await addCustomer(database.db));
    await age(database, id, 400);
    expect(await retainOnce(database.db, 100)).toBe(0);
  });

  databaseTest("leaves one receipt for each account and day", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const batch = async (): Promise<void> => {
      await sessionOfAge(database, customer, 400);
      await sessionOfAge(database, customer, 401);
      await retainOnce(db, 2);
    };
    await batch();
    await batch();
    const receipts = async () =>
      (await pool.query("SELECT scope, asked_by, sessions FROM erasures ORDER BY at")).rows;
    const ofDay = { scope: "retention", asked_by: "retention", sessions: 4 };
    expect(await receipts()).toEqual([ofDay]);
    await pool.query("UPDATE erasures SET at = at - interval '1 day'");
    await batch();
    expect(await receipts()).toEqual([ofDay, { ...ofDay, sessions: 2 }]);
  });

  // O6
  databaseTest("is the work of one process at a time", async ({ database }) => {
    const { db } = database;
    const customer = await addCustomer(db);
    await sessionOfAge(database, customer, 400);
    await transact(db, async (trx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtext('retention'))`.execute(trx);
      expect(await retainOnce(db, 100)).toBe(0);
    });
    const counts = await Promise.all(Array.from({ length: 4 }, () => retainOnce(db, 100)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  });

  databaseTest("drops days of the live log that became empty", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    await makeLogPartitions(db, 1);
    for (const days of [400, 300]) {
      await pool.query(
        "SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date - $1::integer)",
        [days],
      );
      await sessionOfAge(database, customer, days);
    }
    const partitions = async (): Promise<number> =>
      (await pool.query("SELECT FROM pg_inherits WHERE inhparent = 'turns'::regclass")).rowCount!;
    expect(await partitions()).toBe(5);
    await retainOnce(db, 100);
    // The turns of one day are gone; of both days there were no events.
    expect(await dropEmptyLogDays(db)).toBe(3);
    expect(await partitions()).toBe(4);
    expect(await dropEmptyLogDays(db)).toBe(0);
    await playEvaluated(db, customer);
  });

  databaseTest("lets a busy log be", async ({ database }) => {
    const { db, pool } = database;
    await pool.query("SELECT make_log_partitions((now() AT TIME ZONE 'UTC')::date - 400)");
    const reader = await pool.connect();
    try {
      await reader.query("BEGIN");
      await reader.query("SELECT FROM turns");
      expect(await dropEmptyLogDays(db)).toBe(1);
      await reader.query("COMMIT");
    } finally {
      reader.release();
    }
    expect(await dropEmptyLogDays(db)).toBe(1);
  });
});
