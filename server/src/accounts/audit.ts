import type { Db, Trx } from "#platform";
import { insertAudit, selectAudit, selectAuditRights } from "./store.ts";
import type { AuditEntry, AuditFilter, AuditRecord, AuditRights } from "./store.ts";

export type { AuditEntry, AuditRecord, AuditRights } from "./store.ts";

export async function audit(trx: Trx, entry: AuditEntry): Promise<void> {
  await insertAudit(trx, entry);
}

/** The newest first. */
export async function listAudit(db: Db, filter: AuditFilter): Promise<AuditRecord[]> {
  return selectAudit(db, filter);
}

export async function auditRights(db: Db): Promise<AuditRights> {
  return selectAuditRights(db);
}
