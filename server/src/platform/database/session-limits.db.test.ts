import { databaseTest } from "#testing/database-test";
import type { TestDatabase } from "#testing";
import pg from "pg";
import { describe, expect, onTestFinished } from "vitest";
import { copyOut } from "./copy-out.ts";
import { isPooled, limitSession } from "./session-limits.ts";

const LIMITS = { statementTimeoutMs: 1_500, idleInTransactionMs: 40_000 };
const SHOWN = { statement: "1500ms", idle: "40s" };
const SHOW =
  "SELECT current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle";

/** @param isPooler as behind a pooler, which names a process to its clients that is not the backend's. */
async function connect(
  { url }: TestDatabase,
  isPooler: boolean,
): Promise<{ client: pg.PoolClient; session: pg.Client }> {
  const session = new pg.Client({ connectionString: url });
  // The database is dropped with its connections before this one is ended.
  session.on("error", () => {});
  await session.connect();
  onTestFinished(() => session.end());
  if (isPooler) (session as unknown as { processID: number }).processID = -1;
  const client = session as unknown as pg.PoolClient;
  await limitSession(client, LIMITS, 5_000);
  return { client, session };
}

function callBack(client: pg.PoolClient, ...args: [string, unknown[]?]): Promise<unknown> {
  const done = Promise.withResolvers<unknown>();
  const query = client.query.bind(client) as (...all: unknown[]) => void;
  query(args[0], args[1], (error: unknown, result: unknown) =>
    result === undefined ? done.reject(error) : done.resolve(result),
  );
  return done.promise;
}

describe.each([
  ["a connection of our own", false],
  ["a connection to a pooler", true],
])("the limits on %s", (_name, isPooler) => {
  databaseTest("are in force however a statement is sent", async ({ database }) => {
    const { client } = await connect(database, isPooler);
    expect(isPooled(client)).toBe(isPooler);
    expect((await client.query(SHOW)).rows).toEqual([SHOWN]);
    const cast = `${SHOW}, $1::integer AS one`;
    expect((await client.query(cast, [1])).rows).toEqual([{ ...SHOWN, one: 1 }]);
    expect(await callBack(client, cast, [1])).toMatchObject({ rows: [{ ...SHOWN, one: 1 }] });
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    expect((await client.query(SHOW)).rows).toEqual([SHOWN]);
    expect((await client.query(cast, [1])).rows).toEqual([{ ...SHOWN, one: 1 }]);
    await client.query("COMMIT");
    const rows: string[] = [];
    const script = `BEGIN READ ONLY; COPY (${SHOW}) TO STDOUT; COMMIT`;
    await copyOut(client, script, (row) => rows.push(row.toString()));
    expect(rows).toEqual(["1500ms\t40s\n"]);

    for (const sleep of [
      () => client.query("SELECT pg_sleep(5)"),
      () => client.query("SELECT pg_sleep($1)", [5]),
      () => callBack(client, "SELECT pg_sleep(5)"),
      () => client.query("BEGIN; SELECT pg_sleep(5); COMMIT"),
    ]) {
      await expect(sleep()).rejects.toMatchObject({ code: "57014" });
      await client.query("ROLLBACK");
    }
  });

  databaseTest("change no answer, and leave no transaction open", async ({ database }) => {
    const { client, session } = await connect(database, isPooler);
    const scripted = await client.query("SELECT 1 AS a; SELECT 2 AS b");
    expect([scripted].flat().map((one) => (one as pg.QueryResult).rows)).toEqual([
      [{ a: 1 }],
      [{ b: 2 }],
    ]);
    await client.query("CREATE TABLE once (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    expect((await client.query("INSERT INTO once VALUES ($1)", [1])).rowCount).toBe(1);
    for (const fail of [
      () => client.query("SELECT 1 / $1", [0]),
      () => client.query("SELECT 1 / 0"),
      // Fails at the commit.
      () => client.query("INSERT INTO once VALUES ($1)", [1]),
    ]) {
      await expect(fail()).rejects.toThrow(/division by zero|duplicate key/);
      expect(session.getTransactionStatus()).toBe("I");
    }
    await client.query("CREATE INDEX CONCURRENTLY numbers ON once (n)");
    expect((await client.query("SELECT n FROM once")).rows).toEqual([{ n: 1 }]);
  });
});

databaseTest("a pooler's backend keeps nothing of them", async ({ database }) => {
  const { client, session } = await connect(database, true);
  await client.query("SELECT $1::integer", [1]);
  await client.query("SELECT 1");
  const plain = await session.query({ text: SHOW });
  expect(plain.rows).toEqual([{ statement: "0", idle: "0" }]);
});
