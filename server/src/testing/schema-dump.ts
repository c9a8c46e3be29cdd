import { execFile } from "node:child_process";
import { promisify } from "node:util";

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
