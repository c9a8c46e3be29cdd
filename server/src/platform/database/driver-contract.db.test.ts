import { chown, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TLSSocket } from "node:tls";
import { makeCertificates, startOwnCluster } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { sql } from "kysely";
import pg from "pg";
import type { CommandResponse, PgBoss } from "pg-boss";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { createLog } from "../observability/log.ts";
import { createBoss, inTransaction, installQueue } from "../queue/boss.ts";
import { QueueDatabase } from "../queue/queue-database.ts";
import { awaitDatabase } from "./await-database.ts";
import { copyOut } from "./copy-out.ts";
import { createDb, createPool, isDatabaseAway } from "./db.ts";
import type { PoolOptions } from "./db.ts";

/**
 * What we lean on in `pg` and pg-boss beyond their documentation. A test that fails here after an
 * upgrade names the file of ours that must follow.
 */
const log = createLog("silent");

function poolAt(url: string, options: Partial<PoolOptions> = {}): pg.Pool {
  const pool = createPool(
    { url, name: "contract", maxConnections: 1, statementTimeoutMs: 10_000, ...options },
    log,
  );
  onTestFinished(() => pool.end());
  return pool;
}

describe("pg, for db.ts", () => {
  databaseTest(
    "a client says by `readyForQuery` whether it is at work, and the pool says when it is given back",
    async ({ database }) => {
      const pool = poolAt(database.url);
      const released: unknown[] = [];
      pool.on("release", (_error, client) =>
        released.push((client as unknown as { readyForQuery: unknown }).readyForQuery),
      );
      const idle = await pool.connect();
      await idle.query("SELECT 1");
      idle.release();
      const busy = await pool.connect();
      const query = busy.query("SELECT pg_sleep(0.2)").catch(() => undefined);
      await vi.waitUntil(
        () => !(busy as unknown as { readyForQuery: boolean }).readyForQuery,
        2_000,
      );
      busy.release();
      await query;
      expect(released).toEqual([true, false]);
    },
  );

  databaseTest(
    "Kysely asks by `client.query(text, values)`, and a name makes a statement a prepared one",
    async ({ database }) => {
      const pool = poolAt(database.url);
      const seen: unknown[][] = [];
      pool.on("connect", (client) => {
        const plain = client.query.bind(client) as (...args: unknown[]) => unknown;
        client.query = ((...args: unknown[]) => {
          seen.push(args);
          return plain(...args);
        }) as typeof client.query;
      });
      await sql`SELECT ${1}::integer`.execute(createDb(pool));
      expect(seen).toEqual([["SELECT $1::integer", [1]]]);
      await pool.query({ name: "s0", text: "SELECT $1::integer", values: [1] });
      const { rows } = await pool.query("SELECT name FROM pg_prepared_statements");
      expect(rows).toEqual([{ name: "s0" }]);
    },
  );

  databaseTest("a type parser of ours is asked for json and jsonb", async ({ database }) => {
    const { builtins } = pg.types;
    expect([builtins.JSON, builtins.JSONB]).toEqual([114, 3802]);
    // V8's parser takes the second key for the first: parse-json.ts exists for that.
    const text = String.raw`[{"\\":1},{"\t":2}]`;
    const { rows } = await poolAt(database.url).query("SELECT $1::json AS a, $1::jsonb AS b", [
      text,
    ]);
    const read = [{ "\\": 1 }, { "\t": 2 }];
    expect(rows).toEqual([{ a: read, b: read }]);
  });

  databaseTest("says in these words that the database is away", async ({ database }) => {
    const reason = (work: Promise<unknown>): Promise<unknown> =>
      work.then(
        () => "nothing failed",
        (error: unknown) => error,
      );
    const terminated = poolAt(database.url);
    const kill = "SELECT pg_terminate_backend(pg_backend_pid())";
    const full = poolAt(database.url, { waitMs: 1_000 });
    const held = await full.connect();
    const slow = poolAt(database.url, { statementTimeoutMs: 500 });
    const client = await terminated.connect();
    // No listener of ours has taken the error yet: the next query meets a broken client.
    await reason(client.query(kill));
    const errors = {
      broken: await reason(client.query("SELECT 1")),
      full: await reason(full.connect()),
      late: await reason(slow.query("SET statement_timeout = 0; SELECT pg_sleep(5)")),
    };
    client.release(true);
    held.release();
    expect(errors.broken).toMatchObject({
      message: expect.stringMatching(/^(?:Client has encountered|Connection terminated)/),
    });
    expect(errors.full).toMatchObject({
      message: "timeout exceeded when trying to connect",
    });
    expect(errors.late).toMatchObject({ message: "Query read timeout" });
    expect(Object.values(errors).map(isDatabaseAway)).toEqual([true, true, true]);
  });
});

describe("pg, for copy-out.ts", () => {
  databaseTest("calls a submittable back by these names", async ({ database }) => {
    const called = new Set<string>();
    const note = (name: string) => () => void called.add(name);
    const client = await poolAt(database.url).connect();
    const done = Promise.withResolvers<void>();
    const query = {
      // `pg` replaces it to end its read time-out.
      callback: (error: Error | null): void => (error ? done.reject(error) : done.resolve()),
      submit: (connection: pg.Connection) =>
        connection.query("SELECT 1; COPY (SELECT 2) TO STDOUT"),
      handleRowDescription: note("handleRowDescription"),
      handleDataRow: (message: { fields: unknown }) =>
        void called.add(`handleDataRow ${JSON.stringify(message.fields)}`),
      handleCopyData: (message: { chunk: Buffer }) =>
        void called.add(`handleCopyData ${JSON.stringify(message.chunk.toString())}`),
      handleCommandComplete: note("handleCommandComplete"),
      handleError: (error: Error) => query.callback(error),
      handleReadyForQuery: () => query.callback(null),
    };
    const ours = query.callback;
    client.query(query as pg.Submittable);
    expect(query.callback).not.toBe(ours);
    await done.promise;
    client.release();
    expect([...called]).toEqual([
      "handleRowDescription",
      'handleDataRow ["1"]',
      "handleCommandComplete",
      String.raw`handleCopyData "2\n"`,
    ]);
  });
});

describe("pg, over TLS", () => {
  it("brings COPY through whole, and refuses a certificate that it was not told to trust, in words", async () => {
    const { url, certificateFile } = await startTlsCluster();
    const pool = poolAt(`${url}?sslmode=verify-full&sslrootcert=${certificateFile}`);
    const client = await pool.connect();
    const { stream } = (client as unknown as { connection: { stream: unknown } }).connection;
    expect(stream).toBeInstanceOf(TLSSocket);
    const used = await client.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    expect(used.rows).toEqual([{ ssl: true }]);
    const lengths = [0, 1, 70_000, 3, 1_000_000, 0, 65_536, 8_192];
    const rows: string[] = [];
    await copyOut(
      client,
      `COPY (SELECT repeat('é', n) FROM unnest(ARRAY[${lengths.join(",")}]) WITH ORDINALITY AS t (n, nth) ORDER BY nth) TO STDOUT`,
      (row) => rows.push(row.toString("utf8")),
    );
    client.release();
    expect(rows.map((row) => row.length)).toEqual(lengths.map((length) => length + 1));
    expect(rows.every((row) => /^é*\n$/.test(row))).toBe(true);
    await expect(poolAt(`${url}?sslmode=verify-full`).query("SELECT 1")).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });

    const told = async (address: string): Promise<unknown> =>
      awaitDatabase(
        createDb(poolAt(address)),
        { databaseUrl: address, databaseWaitMs: 60_000, isStopping: () => false },
        log,
      ).catch((error: unknown) => error);
    const { host } = new URL(url);
    expect(await told(`${url}?sslmode=verify-full`)).toMatchObject({
      what: `The certificate of PostgreSQL at ${host} is not trusted.`,
      fix: expect.stringContaining("sslrootcert=/path/to/ca.pem to SVC_DATABASE_URL"),
    });
    const byName = url.replace("127.0.0.1", "localhost");
    expect(
      await told(`${byName}?sslmode=verify-full&sslrootcert=${certificateFile}`),
    ).toMatchObject({
      what: expect.stringMatching(
        /The certificate of PostgreSQL at localhost:\d+ is for another host/,
      ),
    });
    expect(() => poolAt(`${url}?sslmode=verify-full&sslrootcert=/nowhere.pem`)).toThrow(
      /The file \/nowhere\.pem cannot be read.*sslrootcert: ENOENT/,
    );
    const plain = inject("clusterUrl");
    expect(await told(`${plain}?sslmode=verify-full`)).toMatchObject({
      what: `PostgreSQL at ${new URL(plain).host} offers no TLS.`,
    });
  }, 60_000);
});

/** A PostgreSQL of our own with `ssl = on` and a certificate that openssl has made. */
async function startTlsCluster(): Promise<{ url: string; certificateFile: string }> {
  const cluster = await startOwnCluster(inject("clusterUrl"));
  onTestFinished(() => cluster.remove());
  const certificates = makeCertificates();
  onTestFinished(() => certificates.remove());
  const { key, cert } = certificates.selfSigned(["IP:127.0.0.1"]);
  const { pool, url } = cluster.database;
  const { rows } = await pool.query<{ data: string }>(
    "SELECT current_setting('data_directory') AS data",
  );
  const data = rows[0]!.data;
  const { uid, gid } = await stat(data);
  for (const [name, text] of [
    ["server.key", key],
    ["server.crt", cert],
  ] as const) {
    await writeFile(join(data, name), text, { mode: 0o600 });
    await chown(join(data, name), uid, gid);
  }
  await pool.query("ALTER SYSTEM SET ssl = on");
  await pool.query("SELECT pg_reload_conf()");
  await vi.waitUntil(async () => {
    const answer = await pool.query<{ ssl: string }>("SELECT current_setting('ssl') AS ssl");
    return answer.rows[0]?.ssl === "on";
  }, 5_000);
  return { url, certificateFile: join(data, "server.crt") };
}

const QUEUE = { name: "contract", expireInSecs: 60 };

/** A queue of pg-boss's with one job in it, and pg-boss itself. */
async function startBoss(database: TestDatabase): Promise<PgBoss> {
  await installQueue(database.db, [QUEUE]);
  const boss = createBoss(new QueueDatabase(database.pool), log);
  await boss.start();
  onTestFinished(() => boss.stop({ graceful: false }));
  await boss.insert(QUEUE.name, [{ data: { sessionId: "one" } }]);
  return boss;
}

describe("pg-boss", () => {
  databaseTest(
    "keeps jobs in the columns that queue-database.ts, forget-jobs.ts and has-runner.ts name",
    async ({ database }) => {
      await startBoss(database);
      const { rows } = await database.pool.query(
        `SELECT table_name || '.' || column_name AS name, data_type FROM information_schema.columns
         WHERE table_schema = 'pgboss' AND (table_name, column_name) IN
           (('job', 'name'), ('job', 'id'), ('job', 'state'), ('job', 'data'), ('job', 'retry_count'),
            ('job', 'retry_limit'), ('job', 'started_on'), ('queue', 'monitor_claim_on'))
         ORDER BY 1`,
      );
      expect(rows).toEqual([
        { name: "job.data", data_type: "jsonb" },
        { name: "job.id", data_type: "uuid" },
        { name: "job.name", data_type: "text" },
        { name: "job.retry_count", data_type: "integer" },
        { name: "job.retry_limit", data_type: "integer" },
        { name: "job.started_on", data_type: "timestamp with time zone" },
        { name: "job.state", data_type: "USER-DEFINED" },
        { name: "queue.monitor_claim_on", data_type: "timestamp with time zone" },
      ]);
    },
  );

  databaseTest(
    "gives a job up when a run fails whose count has reached the limit, and honours a limit that was moved",
    async ({ database }) => {
      const boss = await startBoss(database);
      const take = async (): Promise<{ id: string; retryCount: number; retryLimit: number }> => {
        const [job] = await boss.fetch<object>(QUEUE.name, { includeMetadata: true });
        return job!;
      };
      const stateOf = async (): Promise<unknown> =>
        (await database.pool.query("SELECT state FROM pgboss.job WHERE name = 'contract'")).rows[0];
      const first = await take();
      expect(first).toMatchObject({ retryCount: 0, retryLimit: 4 });
      await database.pool.query("UPDATE pgboss.job SET retry_count = 4 WHERE name = 'contract'");
      await database.pool.query("UPDATE pgboss.job SET retry_limit = 5 WHERE name = 'contract'");
      await boss.fail(QUEUE.name, { id: first.id, retryCount: 4 });
      expect(await stateOf()).toEqual({ state: "retry" });
      const last = await take();
      expect(last).toMatchObject({ id: first.id, retryCount: 5, retryLimit: 5 });
      await boss.fail(QUEUE.name, last);
      expect(await stateOf()).toEqual({ state: "failed" });
    },
  );

  databaseTest(
    "names in `settled` the jobs that an answer is about, and none whose claim has gone",
    async ({ database }) => {
      const boss = await startBoss(database);
      const [job] = await boss.fetch<object>(QUEUE.name, { includeMetadata: true });
      const { id, retryCount } = job!;
      const settled = (answer: CommandResponse): unknown =>
        (answer as unknown as { settled: unknown }).settled;
      const stale = { id, retryCount: retryCount + 1 };
      expect(settled(await boss.touch(QUEUE.name, [stale]))).toEqual([]);
      expect(settled(await boss.touch(QUEUE.name, [{ id, retryCount }]))).toEqual([id]);
      expect(settled(await boss.complete(QUEUE.name, stale))).toEqual([]);
      await database.db.transaction().execute(async (trx) => {
        const db = inTransaction(trx);
        const answer = await boss.complete(QUEUE.name, { id, retryCount }, null, { db });
        expect(settled(answer)).toEqual([id]);
      });
    },
  );

  databaseTest(
    "reads the rows of every statement of a script that it sends at once",
    async ({ database }) => {
      const queue = new QueueDatabase(database.pool);
      await startBoss(database);
      const { rows } = await queue.executeSql("SELECT 1 AS n; SELECT 2 AS n");
      expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
    },
  );

  databaseTest("takes its timers from the clock that it is given", async ({ database }) => {
    await installQueue(database.db, [QUEUE]);
    const clock = {
      now: () => Date.now(),
      setTimeout: vi.fn<(run: () => void, ms: number) => unknown>(),
      clearTimeout: vi.fn<(timer: unknown) => void>(),
      setInterval: vi.fn<(run: () => void, ms: number) => unknown>(),
      clearInterval: vi.fn<(timer: unknown) => void>(),
    };
    const supervised = { supervise: true, superviseIntervalSeconds: 2, clock } as const;
    const boss = createBoss(new QueueDatabase(database.pool), log, supervised);
    await boss.start();
    await boss.stop({ graceful: false });
    expect(clock.setInterval.mock.calls.length).toBeGreaterThan(0);
  });
});
