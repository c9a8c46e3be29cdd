import type { Db } from "#platform";
import { selectHold, selectOverdue } from "./export-hold-store.ts";
import type { Hold } from "./export-hold-store.ts";

export type { Hold } from "./export-hold-store.ts";

export interface ExportHold extends Hold {
  /** How many settled sessions wait behind it. */
  behind: number;
}

/** The session that keeps an account's export from going on; undefined when every session is settled. */
export async function exportHold(db: Db, accountId: number): Promise<ExportHold | undefined> {
  return selectHold(db, accountId);
}

/** Unsettled sessions whose deadline passed more than `graceSecs` ago: the sweeper should have settled them. */
export async function overdueSessions(
  db: Db,
  graceSecs: number,
): Promise<{ count: number; oldest: Hold | undefined }> {
  return selectOverdue(db, graceSecs);
}
