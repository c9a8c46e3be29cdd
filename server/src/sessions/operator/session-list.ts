import type { Db } from "#platform";
import { selectCounts, selectLastStarts, selectNewest } from "./session-list-store.ts";
import type { ListedSession, SessionCounts, SessionFilter } from "./session-list-store.ts";

export type { ListedSession, SessionFilter } from "./session-list-store.ts";

/** The newest first. */
export async function listSessions(db: Db, filter: SessionFilter): Promise<ListedSession[]> {
  return selectNewest(db, filter);
}

/** Test sessions are not counted. */
export async function countSessions(db: Db, accountId: number): Promise<SessionCounts> {
  return selectCounts(db, accountId);
}

/** When the newest session of each account started. Accounts without a session are left out. */
export async function lastStarts(db: Db): Promise<{ accountId: number; at: Date }[]> {
  return selectLastStarts(db);
}
