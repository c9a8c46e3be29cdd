import { sql } from "kysely";
import type { Db } from "./db.ts";

export interface DatabaseFacts {
  /** As PostgreSQL writes it: "15.9 (Debian 15.9-0+deb12u1)". */
  version: string;
  major: number;
  encoding: string;
  /** Its clock, in milliseconds since the epoch. */
  nowMs: number;
  /** Tells one database from another: its name and since when its server runs. */
  database: string;
}

export async function databaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer / 10000 AS major,
      current_setting('server_encoding') AS encoding,
      (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "nowMs",
      current_database() || ' since ' || extract(epoch FROM pg_postmaster_start_time()) AS database`.execute(
    db,
  );
  return rows[0]!;
}
