import { randomBytes } from "node:crypto";
import { JOBS } from "#jobs";
import { createDb, createLog, createPool, migrate } from "#platform";
import type { Db } from "#platform";
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
    createPool({ url, name: "template", maxConnections: 1, statementTimeoutMs: 30_000 }, silent),
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
  const url = withDatabase(clusterUrl, name);
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
        admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
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
