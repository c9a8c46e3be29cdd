import { readdirSync } from "node:fs";
import { sql } from "kysely";
import pg from "pg";
import { expect, inject } from "vitest";
import { databaseTest } from "#testing/database-test";
import { createDb, createPool } from "./db.ts";
import type { Db } from "./db.ts";
import { createLog } from "../observability/log.ts";
import { migrate, migrationStatus, pendingMigrations } from "./migrate.ts";

const ALL = readdirSync(new URL("../../../migrations/", import.meta.url))
  .map((file) => file.replace(".sql", ""))
  .toSorted();

function connect(url: string): Db {
  return createDb(
    createPool(
      { url, name: "migrate", maxConnections: 2, statementTimeoutMs: 20_000 },
      createLog("silent"),
    ),
  );
}

/** An empty database of the same cluster; the export's role exists in it already, as in any second database. */
const emptyTest = databaseTest.extend<{ url: string; exportUrl: string }>({
  url: async ({ database }, use) => {
    const name = `empty_${new URL(database.url).pathname.slice(1)}`;
    const admin = new pg.Client({ connectionString: inject("clusterUrl") });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    await use(database.url.replace(/[^/]+$/, name));
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  },
  exportUrl: async ({ url }, use) => use(url.replace("//postgres@", "//svc_export@")),
});

emptyTest(
  "migrations run once, in order, and are pending until then",
  async ({ url, exportUrl }) => {
    const db = connect(url);
    expect(await pendingMigrations(db)).toEqual(ALL);
    expect(await migrate(db, exportUrl, [])).toEqual({ applied: ALL, exportLogin: "kept" });
    expect(await pendingMigrations(db)).toEqual([]);
    expect(await migrate(db, exportUrl, [])).toEqual({ applied: [], exportLogin: "kept" });
    await db.destroy();
  },
);

// P10
emptyTest(
  "any number of processes may start at once: each migration runs in one of them",
  async ({ url, exportUrl }) => {
    const dbs = Array.from({ length: 6 }, () => connect(url));
    const outcomes = await Promise.all(dbs.map((db) => migrate(db, exportUrl, [])));
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(ALL);
    await Promise.all(dbs.map((db) => db.destroy()));
  },
);

emptyTest(
  "a migration that fails leaves nothing, and says which one and why",
  async ({ url, exportUrl }) => {
    const db = connect(url);
    await sql`CREATE TABLE agents (id integer)`.execute(db);
    await expect(migrate(db, exportUrl, [])).rejects.toThrow(
      /000001_ground failed and was rolled back.*agents/,
    );
    expect(await pendingMigrations(db)).toEqual(ALL);
    expect((await sql`SELECT to_regclass('accounts') AS made`.execute(db)).rows).toEqual([
      { made: null },
    ]);
    await db.destroy();
  },
);

emptyTest(
  "a database that a later release migrated is taken as it is, by any number of processes",
  async ({ url, exportUrl }) => {
    const db = connect(url);
    await migrate(db, exportUrl, []);
    await sql`INSERT INTO migrations (name, timestamp) VALUES ('999999_later', now()::text)`.execute(
      db,
    );
    const dbs = Array.from({ length: 3 }, () => connect(url));
    const outcomes = await Promise.all(dbs.map((one) => migrate(one, exportUrl, [])));
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual([]);
    await Promise.all(dbs.map((one) => one.destroy()));
    expect(await pendingMigrations(db)).toEqual([]);
    expect((await migrationStatus(db)).filter((one) => one.isNewer)).toMatchObject([
      { name: "999999_later", appliedAt: expect.any(Date) },
    ]);
    await db.destroy();
  },
);

emptyTest(
  "a migration that is missing among this program's own is refused by its name",
  async ({ url, exportUrl }) => {
    const db = connect(url);
    await migrate(db, exportUrl, []);
    await sql`INSERT INTO migrations (name, timestamp) VALUES ('000003_other', now()::text)`.execute(
      db,
    );
    await expect(migrate(db, exportUrl, [])).rejects.toThrow(
      /The migrations could not be run.*000003_other/,
    );
    await db.destroy();
  },
);

emptyTest(
  "an export address of another role is refused before anything is changed",
  async ({ url }) => {
    const db = connect(url);
    await expect(migrate(db, url, [])).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("SVC_EXPORT_DATABASE_URL"),
    });
    expect(await pendingMigrations(db)).toEqual(ALL);
    await db.destroy();
  },
);

emptyTest(
  "the export's role may log in afterwards, and is no superuser",
  async ({ url, exportUrl }) => {
    const db = connect(url);
    await migrate(db, exportUrl, []);
    const client = new pg.Client({ connectionString: exportUrl });
    await client.connect();
    const { rows } = await client.query(
      "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = current_user",
    );
    expect(rows).toEqual([
      { rolname: "svc_export", rolsuper: false, rolbypassrls: false, rolcreaterole: false },
    ]);
    await client.end();
    await db.destroy();
  },
);

emptyTest("a password with hostile characters is taken as it is", async ({ url, exportUrl }) => {
  const db = connect(url);
  const password = `it's "quoted" \\ $$ %2F ; DROP`;
  await migrate(
    db,
    exportUrl.replace("svc_export@", `svc_export:${encodeURIComponent(password)}@`),
    [],
  );
  const { rows } = await sql<{
    hash: string;
  }>`SELECT rolpassword AS hash FROM pg_authid WHERE rolname = 'svc_export'`.execute(db);
  expect(rows[0]?.hash).toMatch(/^SCRAM-SHA-256\$/);
  // The role is the whole cluster's: other tests log in without a password.
  await migrate(db, exportUrl, []);
  await db.destroy();
});
