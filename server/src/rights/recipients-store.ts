import type { Db, NamedService, ServicePurpose } from "#platform";
import { sql } from "kysely";

/** Why somebody gets something of what a visitor says. */
export type RecipientPurpose = ServicePurpose | "records";

/** Everybody who gets something of what the visitors of an agent say, without secrets and without what is inside. */
export interface RecipientList {
  /** Whose visitors; lists of earlier releases do not say. */
  agent?: string;
  brand: { name: string; privacy?: string; days: number };
  /** This service itself, and what it needs nobody else for. */
  operator: NamedService & { purposes: RecipientPurpose[] };
  services: (NamedService & { purposes: RecipientPurpose[] })[];
}

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
