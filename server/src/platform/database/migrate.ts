import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Migration } from "kysely/migration";
import pg from "pg";
import { AppError } from "../app-error.ts";
import { isDatabaseAway } from "./db.ts";
import type { Db } from "./db.ts";
import { installQueue } from "../queue/index.ts";
import type { JobQueue } from "../queue/index.ts";

const MIGRATIONS = new URL("../../../migrations/", import.meta.url);

/**
 * Runs the SQL files that have not run yet, in order, in one transaction and under an advisory
 * lock, so that any number of processes may start at once. Forward only: a file never changes
 * once released, and there is no way down. The queue keeps its own schema, brought up to date after ours.
 */
export async function migrate(
  db: Db,
  exportUrl: string,
  jobs: readonly JobQueue[],
): Promise<MigrationOutcome> {
  const password = exportPassword(exportUrl);
  const { error, results } = await migrator(db).migrateToLatest();
  if (isDatabaseAway(error)) throw error;
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === "Error")?.migrationName;
    throw new AppError(
      "conflict",
      {
        what: `Migration ${failed ?? ""} failed and was rolled back.`,
        why: `${error instanceof Error ? error.message : "The reason is not known"}.`,
        fix: "Nothing has changed. Fix what it names and run the migrations again.",
      },
      { cause: error },
    );
  }
  await installQueue(db, jobs);
  await allowExportLogin(db, password);
  return { applied: (results ?? []).map((result) => result.migrationName) };
}

export interface MigrationOutcome {
  applied: string[];
}

/** Every migration this program has, in order, and when the database got it. */
export async function migrationStatus(
  db: Db,
): Promise<{ name: string; appliedAt: Date | undefined }[]> {
  const all = await migrator(db).getMigrations();
  return all.map(({ name, executedAt }) => ({ name, appliedAt: executedAt }));
}

/** Names of the migrations this program has and the database has not. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migrationStatus(db);
  return all.filter((one) => one.appliedAt === undefined).map((one) => one.name);
}

function migrator(db: Db): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    migrationTableName: "migrations",
    migrationLockTableName: "migrations_lock",
  });
}

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith(".sql"));
  const migrations = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(new URL(file, MIGRATIONS), "utf8");
    return [
      file.replace(/\.sql$/, ""),
      { up: async (trx) => void (await sql.raw(text).execute(trx)) },
    ];
  });
  return Object.fromEntries(await Promise.all(migrations));
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
async function allowExportLogin(db: Db, password: string): Promise<void> {
  const { rows } = await sql<{ canLogin: boolean }>`
    SELECT rolcanlogin AS "canLogin" FROM pg_roles WHERE rolname = 'svc_export'`.execute(db);
  if (password === "" && rows[0]?.canLogin) return;
  const secret = password === "" ? "" : `PASSWORD ${pg.escapeLiteral(password)}`;
  try {
    // Two processes that alter a role at once fail each other, hence the lock.
    await db.transaction().execute(async (trx) => {
      await sql`SELECT pg_advisory_xact_lock(hashtext('svc_export login'))`.execute(trx);
      await sql.raw(`ALTER ROLE svc_export LOGIN ${secret}`).execute(trx);
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "42501") throw error;
    throw new AppError(
      "conflict",
      {
        what: "The export's role svc_export could not be given its login.",
        why: "This login may not alter it; since PostgreSQL 16 only the role that created it may.",
        fix: "Let an administrator run ALTER ROLE svc_export LOGIN PASSWORD '…', then start with SVC_MIGRATE=off.",
      },
      { cause: error },
    );
  }
}
