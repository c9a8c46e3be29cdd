import { AppError } from "../app-error.ts";
import type { Log } from "../observability/log.ts";
import type { JobQueue } from "../queue/index.ts";
import { createDb, createPool } from "./db.ts";
import type { Db } from "./db.ts";
import { migrate, migrationStatus } from "./migrate.ts";

export interface PrepareOptions {
  databaseUrl: string;
  exportDatabaseUrl: string;
  /** Whether this process may run migrations. */
  migrate: boolean;
  jobs: readonly JobQueue[];
}

/** Runs migrations where that is wanted. Rejects when the database lacks one that this program needs. */
export async function prepareDatabase(db: Db, options: PrepareOptions, log: Log): Promise<void> {
  if (options.migrate) await runMigrations(options, log);
  const all = await migrationStatus(db);
  const newer = all.filter((one) => one.isNewer).map((one) => one.name);
  if (newer.length > 0) {
    log.warn(
      { newer },
      "the database was migrated by a later release; this one works with the schema of the release after it, not with any later one",
    );
  }
  const pending = all.filter((one) => one.appliedAt === undefined).map((one) => one.name);
  if (pending.length > 0) {
    throw new AppError("conflict", {
      what: `The database lacks ${pending.length} migrations: ${pending.join(", ")}.`,
      why: "SVC_MIGRATE is off, so this process may not run them.",
      fix: "Run `svc db migrate` with this release, then start again.",
    });
  }
}

/** On a connection of their own: changing a large table takes longer than any request may take. */
async function runMigrations(
  { databaseUrl, exportDatabaseUrl, jobs }: PrepareOptions,
  log: Log,
): Promise<void> {
  const setup = createDb(
    createPool(
      {
        url: databaseUrl,
        name: "svc-migrate",
        maxConnections: 2,
        statementTimeoutMs: 3_600_000,
      },
      log,
    ),
  );
  const { applied, exportLogin } = await migrate(setup, exportDatabaseUrl, jobs).finally(() =>
    setup.destroy(),
  );
  if (applied.length > 0) log.info({ applied }, "migrated");
  if (exportLogin === "changed") {
    log.warn(
      "the password of svc_export was changed to the one in SVC_EXPORT_DATABASE_URL; processes with another one are refused now",
    );
  }
}
