import { AppError, createDb, createLog, createPool, createSecrets, systemClock } from "#platform";
import type { Db, SecretKey } from "#platform";
import { makeLogPartitions } from "#sessions";
import {
  addCustomer,
  addReceiver,
  announceLive,
  end,
  playEvaluated,
  say,
  start,
  startScriptedDns,
} from "#testing";
import type { TestDatabase } from "#testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { databaseTest } from "#testing/database-test";
import { commands } from "../commands/index.ts";
import { checks } from "./doctor-checks.ts";
import { judgeVersion } from "./doctor-database.ts";
import { examine as examineChecks } from "./examine.ts";
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
  const names = await startScriptedDns(() => "nxdomain");
  onTestFinished(() => names.close());
  const given = { receivers: () => ({ dnsServers: [names.server] }), ...change };
  const output = await doctor.run(operatorOf(database, given), { arguments: {}, options: {} });
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
      { url, name: "doctor", maxConnections: 8, statementTimeoutMs: 2_000, waitMs: 8_000 },
      createLog("silent"),
    ),
  );
}

/** As if a process of that role had reported itself so many seconds ago. */
async function report({ db, pool }: TestDatabase, role: string, secsAgo = 0): Promise<void> {
  await pool.query(
    "INSERT INTO processes (id, role, version, instance, pid, started_at, renewed_at, draining) SELECT gen_random_uuid(), $1, '1.2.3', 'host:1', 1, now(), now() - make_interval(secs => $2), false",
    [role, secsAgo],
  );
  if (role === "all") await announceLive(db);
}

describe("the doctor", () => {
  databaseTest("finds nothing where nothing is wrong", async ({ database }) => {
    await addCustomer(database.db);
    await makeLogPartitions(database.db, 1);
    await report(database, "all");
    const { exitCode, ...found } = await examine(database);
    // Nothing is looked at that is not configured, and tests log in as a superuser.
    const skipped = new Set(["public address", "live address", "audit"]);
    expect(Object.values(found).map(({ name, state }) => [name, state])).toEqual(
      checks.map(({ name }) => [name, skipped.has(name) ? "skip" : "ok"]),
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
    const away = connect("postgres://svc:canary@127.0.0.1:1/svc");
    const found = await examine(database, { db: () => away });
    expect(found["database"]).toMatchObject({
      state: "fail",
      says: expect.stringContaining("Connection refused"),
      fix: expect.stringContaining("SVC_DATABASE_URL"),
    });
    expect(found["export login"]).toMatchObject({ state: "skip" });
    expect(found.exitCode).toBe(1);
    expect(JSON.stringify(found)).not.toContain("canary");
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
    await report(database, "all");
    const aheadBy = (ms: number) => ({ ...systemClock, nowMs: () => systemClock.nowMs() + ms });
    const { clock, exitCode } = await examine(database, { clock: aheadBy(30_000) });
    expect(clock).toMatchObject({
      state: "warn",
      says: expect.stringMatching(/^the database is [23]\d,\d{3} ms behind this machine$/),
    });
    expect(exitCode).toBe(0);
    const jumped = await examine(database, { clock: aheadBy(3_600_000) });
    expect(jumped["clock"]).toMatchObject({
      state: "fail",
      says: expect.stringMatching(/^the database is 3,\d{3},\d{3} ms behind this machine$/),
    });
    expect(jumped.exitCode).toBe(1);
  });

  databaseTest("misses partitions, and a session past its deadline", async ({ database }) => {
    await report(database, "all");
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

describe("the doctor of a running system", () => {
  databaseTest("misses each role that no process has", async ({ database }) => {
    const found = await examine(database);
    expect(found["api processes"]).toMatchObject({ state: "fail", says: "none runs" });
    expect(found["live processes"]?.state).toBe("ok");
    await report(database, "live", 60);
    await report(database, "pipeline", 60);
    await report(database, "api");
    const dead = await examine(database);
    expect(dead["api processes"]).toMatchObject({ says: "1 running, version 1.2.3" });
    expect(dead["live processes"]).toMatchObject({
      state: "fail",
      says: expect.stringMatching(/^none runs; host:1 was last seen 1m 0\ds ago$/),
      fix: expect.stringContaining("SVC_ROLE=live"),
    });
    expect(dead["pipeline processes"]).toMatchObject({ state: "fail" });
    expect(dead.exitCode).toBe(1);
  });

  databaseTest("needs a pipeline where something is unfinished", async ({ database }) => {
    await start(database.db, await addCustomer(database.db));
    const found = await examine(database);
    expect(found["pipeline processes"]).toMatchObject({ state: "fail", says: "none runs" });
  });

  databaseTest(
    "sees deliveries that were lost, and jobs that nobody takes",
    async ({ database }) => {
      const { db, pool } = database;
      const customer = await addCustomer(db);
      await addReceiver(db, customer, "https://crm.example.com/svc");
      for (let count = 0; count < 4; count++) await playEvaluated(db, customer);
      const set = "UPDATE deliveries SET finished_at = now(), state =";
      await pool.query(`${set} 'orphaned' WHERE id = 1`);
      const orphaned = await examine(database);
      expect(orphaned["deliveries"]).toMatchObject({
        state: "warn",
        says: expect.stringContaining("1 orphaned"),
        fix: expect.stringContaining("svc deliveries list --state orphaned"),
      });
      await pool.query(`${set} 'exhausted' WHERE id > 1`);
      await pool.query("UPDATE pgboss.job SET start_after = now() - interval '10 minutes'");
      const found = await examine(database);
      expect(found["deliveries"]?.says).toContain("3 deliveries failed for good; 1 orphaned");
      expect(found["receivers"]?.says).toMatch(
        /^1 receiver has taken none of the last deliveries: hook_/,
      );
      await pool.query(
        "INSERT INTO pgboss.job (name, data, start_after) VALUES ('evaluate', '{}', now() - interval '10 minutes')",
      );
      expect((await examine(database))["queue"]).toMatchObject({
        state: "warn",
        says: expect.stringMatching(/1 evaluate.*for 10m 0\ds$/),
      });
    },
  );

  databaseTest(
    "opens every webhook secret, and names the key that is missing",
    async ({ database }) => {
      await addReceiver(database.db, await addCustomer(database.db), "https://crm.example.com/svc");
      const key = (id: string): [SecretKey] => [{ id, key: Buffer.alloc(32, "test") }];
      const opened = await examine(database, { secrets: () => createSecrets(key("k1")) });
      expect(opened["webhook secrets"]).toMatchObject({ state: "ok", says: "all 1 can be opened" });
      const other = await examine(database, { secrets: () => createSecrets(key("k2")) });
      expect(other["webhook secrets"]).toMatchObject({
        state: "fail",
        says: expect.stringMatching(/1 receiver gets nothing.*hook_.*The key k1/),
        fix: expect.stringContaining("SVC_SECRET_KEYS"),
      });
      const secrets = (): never => {
        throw new AppError("invalid_input", { what: "", why: "", fix: "" });
      };
      const unset = await examine(database, { secrets });
      expect(unset["webhook secrets"]?.says).toBe(
        "1 is stored, and SVC_SECRET_KEYS is not set here",
      );
    },
  );

  databaseTest("sees a database that only reads, or is locked", async ({ database }) => {
    const { pool, url } = database;
    const name = new URL(url).pathname.slice(1);
    await pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const reading = connect(url);
    const found = await examine(database, { db: () => reading });
    await reading.destroy();
    expect(found["database writes"]).toMatchObject({
      state: "fail",
      says: expect.stringContaining("only reads"),
    });
    await pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    const holder = await pool.connect();
    await holder.query("BEGIN; LOCK TABLE webhook_endpoints");
    const waiting = connect(url);
    const locked = await examine(database, { db: () => waiting });
    await holder.query("ROLLBACK");
    holder.release();
    await waiting.destroy();
    expect(locked["receivers"]).toMatchObject({
      state: "fail",
      says: expect.stringContaining("too long"),
      fix: expect.stringContaining("pg_stat_activity"),
    });
    expect(locked["queue"]?.state).toBe("ok");
  });

  databaseTest("sees sessions of the future", async ({ database }) => {
    await start(database.db, await addCustomer(database.db));
    await database.pool.query("UPDATE account_clocks SET last_at = now() + interval '1 year'");
    const found = await examine(database);
    expect(found["session times"]).toMatchObject({
      state: "warn",
      says: expect.stringContaining("1 account has sessions that started in the future"),
    });
  });

  databaseTest("looks at what agents need", async ({ database }) => {
    const { db, pool } = database;
    const { account, agent } = await addCustomer(db);
    await pool.query("UPDATE accounts SET default_agent_id = $1, limits = $2 WHERE id = $3", [
      agent.agentId,
      JSON.stringify({ cost_micros_per_session: 5 }),
      account.id,
    ]);
    await pool.query("UPDATE agents SET state = 'paused'");
    const first = { name: "large", url: "http://127.0.0.1:1", key: undefined, timeoutMs: 1 };
    const models = { first: { ...first, price: { input: 0, output: 0 } }, fallback: undefined };
    const modelPlaces = (): ReturnType<Operator["modelPlaces"]> => ({
      conversation: models,
      evaluation: undefined,
    });
    const found = await examine(database, { modelPlaces });
    expect(found["agents"]?.says).toMatch(
      /default agent of its account is paused: .* of Example Ltd/,
    );
    expect(found["cost limits"]).toMatchObject({
      state: "warn",
      says: expect.stringContaining("because large cost nothing"),
      fix: expect.stringContaining("SVC_MODEL_PRICES"),
    });
    await pool.query("UPDATE agents SET current_version = NULL");
    expect((await examine(database))["agents"]?.says).toContain("without a version");
  });

  databaseTest("takes one time limit for a check that hangs, and says so", async ({ database }) => {
    const speech = (): never => {
      throw new AppError("invalid_input", { what: "", why: "", fix: "" });
    };
    const hanging = { name: "hanging", needsDatabase: false, withinMs: 30 };
    const look = (): Promise<never> => new Promise(() => {});
    const [found] = await examineChecks([{ ...hanging, look }], operatorOf(database, { speech }));
    expect(found).toMatchObject({ state: "fail", says: "did not end within 0.03 s" });
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
