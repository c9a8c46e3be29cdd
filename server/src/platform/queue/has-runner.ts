import { sql } from "kysely";
import type { Db } from "../database/db.ts";

/** Runners stamp every queue, between them each two seconds; a machine may be slow. */
const SILENT_SECS = 10;

/** Whether any process takes jobs at the moment. */
export async function hasRunner(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean | null }>`
    SELECT max(monitor_claim_on) > now() - make_interval(secs => ${SILENT_SECS}) AS has FROM pgboss.queue`.execute(
    db,
  );
  return rows[0]?.has ?? false;
}
