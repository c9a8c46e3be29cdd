import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Migration } from "kysely/migration";
import pg from "pg";
import { AppError } from "./app-error.ts";
import type { Db } from "./db.ts";

const MIGRATIONS = new URL("../../migrations/", import.meta.url);

/**
 * Runs the SQL files that have not run yet, in order, in one transaction and under an advisory
 * lock, so that any number of processes may start at once. Forward only: a file never changes
 * once released, and there is no way down.
 */
export async function migrate(db: Db, exportUrl: string): Promise<MigrationOutcome> {
  const password = exportPassword(exportUrl);
  const { error, results } = await migrator(db).migrateToLatest();
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === "Error")?.migrationName;
    throw new AppError(
      "conflict",
      `Migration ${failed ?? ""} failed and was rolled back: ${error instanceof Error ? error.message : "unknown error"}`,
      { cause: error },
    );
  }
  await allowExportLogin(db, password);
  return { applied: (results ?? []).map((result) => result.migrationName) };
}

export interface MigrationOutcome {
  applied: string[];
}

/** Names of the migrations this program has and the database has not. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migrator(db).getMigrations();
  return all.filter((one) => one.executedAt === undefined).map((one) => one.name);
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
    throw new AppError(
      "invalid_input",
      "SVC_EXPORT_DATABASE_URL must log in as svc_export: row-level security is written for that role.",
    );
  }
  return decodeURIComponent(password);
}

/** The export's role gets the login that the configured address asks for. */
async function allowExportLogin(db: Db, password: string): Promise<void> {
  const secret = password === "" ? "NULL" : pg.escapeLiteral(password);
  // Two processes that alter a role at once fail each other, hence the lock.
  await db.transaction().execute(async (trx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('svc_export login'))`.execute(trx);
    await sql.raw(`ALTER ROLE svc_export LOGIN PASSWORD ${secret}`).execute(trx);
  });
}
