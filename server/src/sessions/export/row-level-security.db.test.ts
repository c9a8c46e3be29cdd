import { addCustomer, playSession } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { askExportRole } from "./export.ts";

/** The only tables and columns that the export's role may read. */
const READABLE = {
  session_exports: "*",
  account_clocks: "*",
  sessions: "id, account_id, created_at, settled_at, test",
};

async function asExport(
  database: TestDatabase,
  setting: string | undefined,
  statement: string,
): Promise<Record<string, unknown>[]> {
  const client = await database.exportPool.connect();
  try {
    await client.query("BEGIN");
    if (setting !== undefined)
      await client.query("SELECT set_config('svc.account_id', $1, true)", [setting]);
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

async function twoCustomers(database: TestDatabase): Promise<[Customer, Customer]> {
  const [a, b] = [await addCustomer(database.db), await addCustomer(database.db)];
  for (const customer of [a, b]) await playSession(database.db, customer);
  return [a, b];
}

// A1
describe("the export's role", () => {
  databaseTest("sees no row until an account is named", async ({ database }) => {
    await twoCustomers(database);
    for (const [table, columns] of Object.entries(READABLE)) {
      for (const setting of [undefined, ""]) {
        expect(await asExport(database, setting, `SELECT ${columns} FROM ${table}`), table).toEqual(
          [],
        );
      }
    }
  });

  databaseTest("sees the named account's rows only, whatever it asks for", async ({ database }) => {
    const [a, b] = await twoCustomers(database);
    for (const [mine, other] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const [table, columns] of Object.entries(READABLE)) {
        const seen = await asExport(
          database,
          String(mine.account.id),
          `SELECT ${columns} FROM ${table}`,
        );
        expect(
          seen.map((row) => row["account_id"]),
          table,
        ).toEqual([mine.account.id]);
        const asked = `SELECT ${columns} FROM ${table} WHERE account_id = ${other.account.id} OR true`;
        expect(
          (await asExport(database, String(mine.account.id), asked)).map(
            (row) => row["account_id"],
          ),
          table,
        ).toEqual([mine.account.id]);
      }
    }
  });

  databaseTest(
    "forgets the account with the transaction: the pool's next user sees nothing",
    async ({ database }) => {
      const [a] = await twoCustomers(database);
      const client = await database.exportPool.connect();
      await client.query(`BEGIN; SET LOCAL svc.account_id = '${a.account.id}'; COMMIT`);
      expect(
        (await client.query("SELECT current_setting('svc.account_id', true) AS setting")).rows,
      ).toEqual([{ setting: "" }]);
      expect((await client.query("SELECT 1 FROM session_exports")).rowCount).toBe(0);
      client.release();
    },
  );

  databaseTest("may read no other table and no other column", async ({ database }) => {
    const [a] = await twoCustomers(database);
    const { rows } = await database.pool.query<{ table: string; column: string }>(
      "SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public'",
    );
    const readable: string[] = [];
    for (const { table, column } of rows) {
      const error: unknown = await asExport(
        database,
        String(a.account.id),
        `SELECT "${column}" FROM "${table}"`,
      ).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error === undefined) readable.push(`${table}.${column}`);
      else expect(error, `${table}.${column}`).toMatchObject({ code: "42501" });
    }
    const expected = rows
      .filter(({ table, column }) => {
        const columns = READABLE[table as keyof typeof READABLE] as string | undefined;
        return columns === "*" || columns?.split(", ").includes(column);
      })
      .map(({ table, column }) => `${table}.${column}`);
    expect(readable.toSorted()).toEqual(expected.toSorted());
  });

  databaseTest("may write nothing", async ({ database }) => {
    const [a] = await twoCustomers(database);
    const writes = [
      "UPDATE session_exports SET summary = 'x'",
      "DELETE FROM session_exports",
      "INSERT INTO session_exports SELECT * FROM session_exports",
      "TRUNCATE session_exports",
      "UPDATE account_clocks SET last_at = now()",
      "UPDATE sessions SET settled_at = now()",
      "DELETE FROM sessions",
      "SELECT id FROM sessions FOR UPDATE",
      "INSERT INTO audit (actor, action, subject) VALUES ('x', 'x', 'x')",
      "CREATE TABLE mine (id integer)",
      "ALTER TABLE session_exports DISABLE ROW LEVEL SECURITY",
      "DROP POLICY one_account ON session_exports",
      "SET LOCAL ROLE postgres",
      "SELECT nextval('turns_seq')",
      "SELECT make_log_partitions('2026-01-01')",
      "COPY session_exports TO PROGRAM 'cat'",
    ];
    for (const statement of writes) {
      await expect(
        asExport(database, String(a.account.id), statement),
        statement,
      ).rejects.toMatchObject({ code: "42501" });
    }
  });
});

databaseTest("the export's login is held to one account at a time", async ({ database }) => {
  await playSession(database.db, await addCustomer(database.db));
  expect(await askExportRole(database.exportUrl)).toMatchObject({
    user: "svc_export",
    held: true,
    seesRows: false,
  });
});

databaseTest("a login that sees everything is told apart", async ({ database }) => {
  await addCustomer(database.db);
  expect(await askExportRole(database.url)).toMatchObject({
    user: "postgres",
    held: false,
    seesRows: true,
  });
});

databaseTest("a policy that lets everything through is seen by its rows", async ({ database }) => {
  await addCustomer(database.db);
  await database.pool.query(
    "CREATE POLICY everything ON account_clocks FOR SELECT TO svc_export USING (true)",
  );
  expect(await askExportRole(database.exportUrl)).toMatchObject({ held: true, seesRows: true });
});

databaseTest("a login that fails says why", async ({ database }) => {
  await expect(askExportRole(database.exportUrl.replace("svc_export", "nobody"))).rejects.toThrow(
    'role "nobody" does not exist',
  );
});
