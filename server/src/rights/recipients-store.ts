import type { Db } from "#platform";
import { sql } from "kysely";
import type { RecipientList } from "./recipients.ts";

export async function insertRecipients(db: Db, sha256: Buffer, list: string): Promise<void> {
  await sql`
    INSERT INTO recipient_lists (sha256, list, first_used_at) VALUES (${sha256}, ${list}, clock_timestamp())
    ON CONFLICT DO NOTHING`.execute(db);
}

export async function selectRecipients(db: Db, sha256: Buffer): Promise<RecipientList | undefined> {
  const { rows } = await sql<{ list: RecipientList }>`
    SELECT list FROM recipient_lists WHERE sha256 = ${sha256}`.execute(db);
  return rows[0]?.list;
}
