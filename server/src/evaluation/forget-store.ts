import { sql } from "kysely";
import type { Trx } from "#platform";

/** Removes every evaluation of these sessions. One that is being made has lost its job by then and is not written. */
export async function forgetEvaluations(trx: Trx, sessionIds: string[]): Promise<void> {
  await sql`DELETE FROM evaluations WHERE session_id = ANY (${sessionIds}::uuid[])`.execute(trx);
}
