import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Migration } from "kysely/migration";
import pg from "pg";
import { AppError } from "../app-error.ts";
import { connectionTrouble } from "./connection-trouble.ts";
import { isDatabaseAway } from "./db.ts";
import type { Db } from "./db.ts";
import { tryLogin } from "./login-probe.ts";
import { installQueue } from "../queue/index.ts";
import type { JobQueue } from "../queue/index.ts";

const MIGRATIONS = new URL("../../../migrations/", import.meta.url);

/**
 * Runs the SQL files that have not run yet, in order, in one transaction and under an advisory
 * lock, so that any number of processes may start at once. Forward only: a file never changes
 * once released, and there is no way down. The queue keeps its own schema, brought up to date after ours.
 *
 * Migrations of a later release are left alone: during a rolling upgrade, and after a rollback, this
 * program must be able to start on the schema of the release after it.
 */
export async function migrate(
  db: Db,
  exportUrl: string,
  jobs: readonly JobQueue[],
): Promise<MigrationOutcome> {
  const password = exportPassword(exportUrl);
  const applied = await runMigrations(db);
  await installQueue(db, jobs);
  return { applied, exportLogin: await allowExportLogin(db, exportUrl, password) };
}

/** One transaction holds the lock and everything that is done under it, so that a pooler in transaction mode may sit in between. */
async function runMigrations(db: Db): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('svc migrations'))`.execute(trx);
    const { error, results = [] } = await migrator(trx, await ownMigrations()).migrateToLatest();
    if (error === undefined) return results.map((result) => result.migrationName);
    if (isDatabaseAway(error)) throw error;
    const failed = results.find((result) => result.status === "Error")?.migrationName;
    throw new AppError(
      "conflict",
      {
        what:
          failed === undefined
            ? "The migrations could not be run."
            : `Migration ${failed} failed and was rolled back.`,
        why: `${error instanceof Error ? error.message : "The reason is not known"}.`,
        fix: "Nothing has changed. Fix what it names and run the migrations again.",
      },
      { cause: error },
    );
  });
}

export interface MigrationOutcome {
  applied: string[];
  /** What became of the login of svc_export. Processes with a former password are refused once it is `changed`. */
  exportLogin: "made" | "changed" | "kept";
}

export interface MigrationState {
  name: string;
  /** When the database got it. */
  appliedAt: Date | undefined;
  /** It came with a later release: the database has it, this program does not. */
  isNewer: boolean;
}

/** Every migration that this program or the database has, in order. */
export async function migrationStatus(db: Db): Promise<MigrationState[]> {
  const own = await ownMigrations();
  const all = await migrator(db, own).getMigrations();
  return all.map(({ name, executedAt }) => ({
    name,
    appliedAt: executedAt,
    isNewer: !(name in own),
  }));
}

/** Names of the migrations this program has and the database has not. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migrationStatus(db);
  return all.filter((one) => one.appliedAt === undefined).map((one) => one.name);
}

function migrator(db: Db, own: Record<string, Migration>): Migrator {
  return new Migrator({
    db,
    provider: {
      getMigrations: async () => ({ ...own, ...(await newerMigrations(db, own)) }),
    },
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
  });
}

/** Those of this program. A file is read when it is run: every look at `/readyz` asks for their names. */
async function ownMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith(".sql"));
  return Object.fromEntries(
    files.map((file) => [file.replace(/\.sql$/, ""), { up: (trx) => runFile(trx, file) }]),
  );
}

/** Behind a savepoint: the migrator's own last statement would fail in a transaction that is aborted, and hide why. */
async function runFile(trx: Kysely<unknown>, file: string): Promise<void> {
  const text = await readFile(new URL(file, MIGRATIONS), "utf8");
  await sql`SAVEPOINT migration`.execute(trx);
  try {
    await sql.raw(text).execute(trx);
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT migration`.execute(trx);
    throw error;
  }
}

/**
 * Migrations of a later release, as steps that do nothing: the migrator refuses a database with a
 * migration that it was not given. One that is missing among this program's own is still refused.
 */
async function newerMigrations(
  db: Db,
  own: Record<string, Migration>,
): Promise<Record<string, Migration>> {
  const newest = Object.keys(own).toSorted().at(-1) ?? "";
  const { rows: tables } = await sql<{ made: boolean }>`
    SELECT to_regclass('migrations') IS NOT NULL AS made`.execute(db);
  if (!tables[0]?.made) return {};
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(db);
  return Object.fromEntries(
    rows.filter(({ name }) => name > newest).map(({ name }) => [name, { up: async () => {} }]),
  );
}

function exportPassword(exportUrl: string): string {
  const { username, password } = new URL(exportUrl);
  if (decodeURIComponent(username) !== "svc_export") {
    throw new AppError("invalid_input", {
      what: "SVC_EXPORT_DATABASE_URL does not log in as svc_export.",
      why: "Row-level security is written for that role; any other would see every account.",
      fix: "Put svc_export and a password of your choice into that address.",
    });
  }
  return decodeURIComponent(password);
}

/** The export's role gets the login that the configured address asks for. */
async function allowExportLogin(
  db: Db,
  exportUrl: string,
  password: string,
): Promise<MigrationOutcome["exportLogin"]> {
  const { rows } = await sql<{ canLogin: boolean }>`
    SELECT rolcanlogin AS "canLogin" FROM pg_roles WHERE rolname = 'svc_export'`.execute(db);
  const couldLogin = rows[0]?.canLogin ?? false;
  if (password === "" && couldLogin) return "kept";
  const refused = couldLogin ? await tryLogin(exportUrl) : undefined;
  const secret = password === "" ? "" : `PASSWORD ${pg.escapeLiteral(password)}`;
  try {
    // Two processes that alter a role at once fail each other, hence the lock.
    await db.transaction().execute(async (trx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtext('svc_export login'))`.execute(trx);
      // Also where the login works: from this machine PostgreSQL may not ask for a password at all.
      await sql.raw(`ALTER ROLE svc_export LOGIN ${secret}`).execute(trx);
    });
    if (!couldLogin) return "made";
    return refused !== undefined && connectionTrouble(refused) !== undefined ? "changed" : "kept";
  } catch (error) {
    if ((error as { code?: unknown }).code !== "42501") throw error;
    throw new AppError(
      "conflict",
      {
        what: "The export's role svc_export could not be given its login.",
        why: "This login may not alter it; since PostgreSQL 16 only the role that created it may.",
        fix: "Let an administrator run ALTER ROLE svc_export LOGIN PASSWORD '…', then start the server with SVC_MIGRATE=off.",
      },
      { cause: error },
    );
  }
}
