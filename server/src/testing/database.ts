import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { JOBS } from "#jobs";
import { createDb, createLog, createPool, migrate } from "#platform";
import type { Db } from "#platform";
import { startPrivatePostgres } from "@svc/tools/postgres";
import pg from "pg";

/** A migrated database of its own for one test, cloned from a template in some 20 ms. */
export interface TestDatabase {
  /** As the schema's owner. */
  url: string;
  /** As the export's role. */
  exportUrl: string;
  db: Db;
  /** Plain `pg`, as the schema's owner. */
  pool: pg.Pool;
  exportPool: pg.Pool;
  drop(): Promise<void>;
}

const TEMPLATE = "svc_template";

/** Migrates the database that all others are cloned from. Once per cluster. */
export async function createTemplate(clusterUrl: string): Promise<void> {
  await asAdmin(clusterUrl, (admin) => admin.query(`CREATE DATABASE ${TEMPLATE}`));
  const url = withDatabase(clusterUrl, TEMPLATE);
  const db = createDb(
    createPool({ url, name: "template", maxConnections: 2, statementTimeoutMs: 30_000 }, silent),
  );
  await migrate(db, asExport(url), JOBS);
  await db.destroy();
  await asAdmin(clusterUrl, (admin) =>
    admin.query(`ALTER DATABASE ${TEMPLATE} WITH is_template true allow_connections false`),
  );
}

export async function cloneDatabase(clusterUrl: string): Promise<TestDatabase> {
  const name = `svc_${randomBytes(6).toString("hex")}`;
  await asAdmin(clusterUrl, (admin) =>
    admin.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`),
  );
  return connectDatabase(withDatabase(clusterUrl, name), clusterUrl);
}

/** A migrated database that is there already. */
export function connectDatabase(url: string, clusterUrl: string): TestDatabase {
  const exportUrl = asExport(url);
  const pool = createPool(
    { url, name: "test", maxConnections: 20, statementTimeoutMs: 600_000 },
    silent,
  );
  const exportPool = createPool(
    { url: exportUrl, name: "test-export", maxConnections: 4, statementTimeoutMs: 10_000 },
    silent,
  );
  const db = createDb(pool);
  return {
    url,
    exportUrl,
    db,
    pool,
    exportPool,
    drop: async () => {
      await Promise.all([db.destroy(), exportPool.end()]);
      await asAdmin(clusterUrl, (admin) =>
        admin.query(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`),
      );
    },
  };
}

const silent = createLog("silent");

async function asAdmin(
  clusterUrl: string,
  work: (admin: pg.Client) => Promise<unknown>,
): Promise<void> {
  const admin = new pg.Client({ connectionString: clusterUrl });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function withDatabase(clusterUrl: string, name: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function asExport(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = "svc_export";
  url.password = "";
  return url.href;
}

/**
 * The schema as text, from PostgreSQL 15's own pg_dump: a newer one reads older servers but writes
 * what they cannot load. Without a fixed key every dump would carry a random one.
 */
export async function dumpSchema(databaseUrl: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    "/usr/lib/postgresql/15/bin/pg_dump",
    [
      "--schema-only",
      "--no-owner",
      "--restrict-key=schema",
      "--exclude-table=migrations*",
      // The queue brings its own schema up to date.
      "--exclude-schema=pgboss",
      databaseUrl,
    ],
    { maxBuffer: 10_000_000 },
  );
  const lines = stdout
    .split("\n")
    .filter((line) => !line.startsWith("-- Dumped ") && line !== "--");
  return `${HEADER}${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

const HEADER =
  "-- The schema after all migrations. Made by `npm run schema`, checked by the database tests.\n\n";

const run = promisify(execFile);

/** A PostgreSQL of one test's own, which the test may stop, start and kill. */
export interface OwnCluster {
  database: TestDatabase;
  stop(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good and removes it. */
  remove(): Promise<void>;
}

/** Of the same version as the cluster at `likeUrl`. */
export async function startOwnCluster(likeUrl: string): Promise<OwnCluster> {
  const [like] = await select<{ version: number }>(
    likeUrl,
    "SELECT current_setting('server_version_num')::integer / 10000 AS version",
  );
  const cluster = await startPrivatePostgres({ version: like?.version === 18 ? "18" : "15" });
  await createTemplate(cluster.url);
  const database = await cloneDatabase(cluster.url);
  const [paths] = await select<{ bin: string; data: string }>(
    cluster.url,
    "SELECT (SELECT setting FROM pg_config WHERE name = 'BINDIR') AS bin, current_setting('data_directory') AS data",
  );
  const { bin, data } = paths!;
  const { uid, gid } = await stat(data);
  const control = async (...flags: string[]): Promise<void> => {
    await run(join(bin, "pg_ctl"), ["-D", data, "-w", "-l", join(data, "restarts.log"), ...flags], {
      uid,
      gid,
    });
  };
  return {
    database,
    stop: (mode) => control("-m", mode, "stop"),
    // Unlike `start`, `restart` remembers the port and the settings it was started with.
    start: () => control("restart"),
    remove: async () => {
      await database.drop().catch(() => {});
      await cluster.stop();
    },
  };
}

async function select<Row extends pg.QueryResultRow>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}
