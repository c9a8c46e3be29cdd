import { sql } from "kysely";
import type { Trx } from "../database/db.ts";

/**
 * Removes jobs whose payload names one of these under `key`, dead letters included. A run that is
 * under way loses its claim with its job, so that it writes nothing; one that is just writing is waited for.
 */
export async function forgetJobs(
  trx: Trx,
  key: "sessionId" | "deliveryId",
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await sql`DELETE FROM pgboss.job WHERE data ->> ${key} = ANY (${ids}::text[])`.execute(trx);
}
