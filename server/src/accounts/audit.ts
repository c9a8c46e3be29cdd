import type { Db, Trx } from "#platform";
import { insertAudit, selectAudit } from "./store.ts";

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

export interface AuditFilter {
  accountId?: number;
  since?: Date;
  limit: number;
}

export interface AuditRecord {
  id: string;
  at: Date;
  actor: string;
  action: string;
  clientId: string | null;
  accountName: string | null;
  subject: string;
  detail: Record<string, unknown>;
}

/** The newest first. */
export async function listAudit(db: Db, filter: AuditFilter): Promise<AuditRecord[]> {
  return selectAudit(db, filter);
}
