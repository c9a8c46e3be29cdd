import { createDb, createLog, createPool, systemClock } from "#platform";
import type { Db } from "#platform";
import { makeLogPartitions } from "#sessions";
import { addCustomer, end, say, start } from "#testing";
import type { TestDatabase } from "#testing";
import { describe, expect, it } from "vitest";
import { databaseTest } from "#testing/database-test";
import { commands } from "../commands/index.ts";
import { checks, judgeVersion } from "./doctor-checks.ts";
import { operatorUnderTest } from "../command-line-under-test.ts";
import type { Operator } from "../operator.ts";

const doctor = commands.find((command) => command.name === "doctor")!;

interface Examined {
  name: string;
  state: string;
  says: string;
  fix?: string;
}

/** The doctor's findings by name, and its exit code. */
async function examine(
  database: TestDatabase,
  change: Partial<Operator> = {},
): Promise<Record<string, Examined> & { exitCode: unknown }> {
  const output = await doctor.run(operatorOf(database, change), { arguments: {}, options: {} });
  const { checks: examined } = doctor.output.parse(output) as { checks: Examined[] };
  return Object.assign(Object.fromEntries(examined.map((one) => [one.name, one])), {
    exitCode: doctor.exitCode!(output),
  });
}

function operatorOf({ db, exportUrl }: TestDatabase, change: Partial<Operator>): Operator {
  return operatorUnderTest({ db: () => db, exportDatabaseUrl: () => exportUrl, ...change });
}

function connect(url: string): Db {
  return createDb(
    createPool(
      { url, name: "doctor", maxConnections: 1, statementTimeoutMs: 2_000 },
      createLog("silent"),
    ),
  );
}

describe("the doctor", () => {
  databaseTest("finds nothing where nothing is wrong", async ({ database }) => {
    await addCustomer(database.db);
    await makeLogPartitions(database.db, 1);
    const { exitCode, ...found } = await examine(database);
    expect(Object.values(found).map(({ name, state }) => [name, state])).toEqual(
      checks.map(({ name }) => [name, "ok"]),
    );
    expect(exitCode).toBe(0);
  });

  databaseTest("names each variable that is missing, with its meaning", async ({ database }) => {
    const problem = { name: "SVC_PUBLIC_URL", problem: "is required", meaning: "The address" };
    const { configuration, exitCode } = await examine(database, {
      configProblems: () => [problem],
    });
    expect(configuration).toMatchObject({
      state: "fail",
      says: "SVC_PUBLIC_URL is required",
      fix: "Set SVC_PUBLIC_URL (The address).",
    });
    expect(exitCode).toBe(1);
  });

  databaseTest("skips what needs a database that is away", async ({ database }) => {
    const away = connect("postgres://svc:secret@127.0.0.1:1/svc");
    const found = await examine(database, { db: () => away });
    expect(found["database"]).toMatchObject({
      state: "fail",
      says: expect.stringContaining("ECONNREFUSED"),
      fix: expect.stringContaining("SVC_DATABASE_URL"),
    });
    expect(found["export login"]).toMatchObject({ state: "skip" });
    expect(found.exitCode).toBe(1);
    expect(JSON.stringify(found)).not.toContain("secret");
    await away.destroy();
  });

  databaseTest("misses a migration that has not run", async ({ database }) => {
    await database.pool.query(
      "DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)",
    );
    const { migrations, exitCode } = await examine(database);
    expect(migrations).toMatchObject({ state: "fail", fix: "Run `svc db migrate`." });
    expect(exitCode).toBe(1);
  });

  // A1
  databaseTest(
    "sees an export login that row-level security does not hold",
    async ({ database }) => {
      await addCustomer(database.db);
      const asOwner = await examine(database, { exportDatabaseUrl: () => database.url });
      expect(asOwner["export login"]).toMatchObject({ state: "fail" });
      await database.pool.query("ALTER TABLE session_exports DISABLE ROW LEVEL SECURITY");
      const found = await examine(database);
      expect(found["export login"]).toMatchObject({
        state: "fail",
        says: expect.stringContaining("sees every account"),
      });
      expect(found.exitCode).toBe(1);
    },
  );

  databaseTest("sees an export login that fails, or goes elsewhere", async ({ database }) => {
    const wrong = await examine(database, {
      exportDatabaseUrl: () => database.exportUrl.replace("svc_export@", "svc_nobody@"),
    });
    expect(wrong["export login"]).toMatchObject({
      state: "fail",
      says: expect.stringContaining("svc_nobody"),
    });
    const elsewhere = await examine(database, {
      exportDatabaseUrl: () => database.exportUrl.replace(/[^/]+$/, "postgres"),
    });
    expect(elsewhere["export login"]?.state).toBe("fail");
  });

  // O3
  databaseTest("sees clocks that run apart", async ({ database }) => {
    const nowMs = (): number => systemClock.nowMs() + 3_600_000;
    const { clock, exitCode } = await examine(database, { clock: { ...systemClock, nowMs } });
    expect(clock).toMatchObject({
      state: "warn",
      says: expect.stringMatching(/^the database is 3,\d{3},\d{3} ms behind this machine$/),
    });
    expect(exitCode).toBe(0);
  });

  databaseTest("misses partitions, and a session past its deadline", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await say(database.db, session, [{ role: "user", content: "Hi" }]);
    await end(database.db, session);
    await database.pool.query("UPDATE sessions SET evaluate_by = now() - interval '1 hour'");
    const found = await examine(database);
    expect(found["log partitions"]).toMatchObject({ state: "warn" });
    expect(found["unsettled sessions"]).toMatchObject({
      state: "warn",
      says: expect.stringContaining(session.id),
      fix: expect.stringContaining(`svc sessions show ${session.id}`),
    });
    expect(found.exitCode).toBe(0);
  });

  databaseTest("sees a database that cannot hold every language", async ({ database }) => {
    const name = `${new URL(database.url).pathname.slice(1)}_latin`;
    await database.pool.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`,
    );
    const latin = connect(database.url.replace(/[^/]+$/, name));
    const { encoding } = await examine(database, { db: () => latin });
    expect(encoding).toMatchObject({ state: "fail", says: expect.stringContaining("LATIN1") });
    await latin.destroy();
    await database.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });
});

it.each([
  [14, "fail"],
  [15, "ok"],
  [18, "ok"],
  [19, "warn"],
])("the doctor calls PostgreSQL %d %s", (major, state) => {
  expect(judgeVersion({ version: `${major}.1`, major })).toMatchObject({ state });
});
