import type { Db, Trx } from "#platform";
import {
  selectHolds,
  selectOldestUnsettled,
  selectOverdue,
  selectTraceparent,
} from "./export-hold-store.ts";
import type { Hold } from "./export-hold-store.ts";
import {
  selectByIds,
  selectCountOfAgent,
  selectCounts,
  selectLastStarts,
  selectNewest,
} from "./session-list-store.ts";
import type { ListedSession, SessionCounts, SessionFilter } from "./session-list-store.ts";

export type { ListedSession, SessionFilter } from "./session-list-store.ts";

/** The newest first. */
export async function listSessions(db: Db, filter: SessionFilter): Promise<ListedSession[]> {
  return selectNewest(db, filter);
}

/** In no particular order. */
export async function listByIds(db: Db, ids: string[]): Promise<ListedSession[]> {
  return selectByIds(db, ids);
}

/** Test sessions are not counted. */
export async function countSessions(db: Db, accountId: number): Promise<SessionCounts> {
  return selectCounts(db, accountId);
}

/** Tests are counted too. */
export async function countOfAgent(
  db: Db | Trx,
  agentId: string,
  accountId: number,
): Promise<{ sessions: number; goingOn: number }> {
  return selectCountOfAgent(db, agentId, accountId);
}

/** When the newest session of each account started. Accounts without a session are left out. */
export async function lastStarts(db: Db): Promise<{ accountId: number; at: Date }[]> {
  return selectLastStarts(db);
}

export type { Hold } from "./export-hold-store.ts";

export interface ExportHold extends Hold {
  /** How many settled sessions wait behind it. */
  behind: number;
}

/** The session that keeps an account's export from going on; undefined when nothing is held. */
export async function exportHold(db: Db, accountId: number): Promise<ExportHold | undefined> {
  return (await exportHolds(db, [accountId])).get(accountId);
}

/** The same of several accounts, by their numbers. */
export async function exportHolds(
  db: Db | Trx,
  accountIds: readonly number[],
): Promise<Map<number, ExportHold>> {
  const holds = await selectHolds(db, accountIds);
  return new Map(holds.map(({ accountId, ...hold }) => [accountId, hold]));
}

/** The W3C trace context of the session's start; undefined where it was not traced or is gone. */
export async function traceOfSession(db: Db, sessionId: string): Promise<string | undefined> {
  return selectTraceparent(db, sessionId);
}

/** The oldest unsettled session of all accounts, tests left out; undefined when every session is settled. */
export async function oldestUnsettled(db: Db): Promise<(Hold & { ageSecs: number }) | undefined> {
  return selectOldestUnsettled(db);
}

/** Unsettled sessions whose deadline passed more than `graceSecs` ago: the sweeper should have settled them. */
export async function overdueSessions(
  db: Db,
  graceSecs: number,
): Promise<{ count: number; oldest: Hold | undefined }> {
  return selectOverdue(db, graceSecs);
}
