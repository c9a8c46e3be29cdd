import { sql } from "kysely";
import type { Db } from "#platform";

/** The session's address, while it is not known whether its domain accepts mail. */
export async function selectUnverified(db: Db, sessionId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    SELECT email FROM sessions
    WHERE id = ${sessionId} AND email IS NOT NULL AND email_verified IS NULL`.execute(db);
  return rows[0]?.email;
}
