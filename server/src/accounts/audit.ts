import type { Trx } from "#platform";
import { insertAudit } from "./store.ts";

/** Who changed what. Written in the transaction of the change, so neither exists without the other. */
export interface AuditEntry {
  actor: string;
  action: string;
  accountId?: number;
  subject: string;
  /** Never a secret, never personal data. */
  detail?: Record<string, unknown>;
}

export async function audit(trx: Trx, entry: AuditEntry): Promise<void> {
  await insertAudit(trx, entry);
}
