import type { Db } from "#platform";
import { sql } from "kysely";

export const FOLLOW_UP_STATES = [
  "waiting",
  "sending",
  "sent",
  "refused",
  "unknown",
  "skipped",
] as const;

export type FollowUpState = (typeof FOLLOW_UP_STATES)[number];

export interface FollowUpFilter {
  accountId?: number;
  state?: FollowUpState;
  /** Ordered since then. */
  since?: Date;
  limit: number;
}

/** The mail of one session. Who it goes to is the session's to say. */
export interface ListedFollowUp {
  sessionId: string;
  accountId: number;
  clientId: string;
  accountName: string;
  state: FollowUpState;
  /** Why it was skipped or refused, or what the mail server said last. */
  reason: string | null;
  /** Attempts that were begun. */
  attempts: number;
  dueAt: Date;
  giveUpAt: Date;
  createdAt: Date;
  finishedAt: Date | null;
}

const LISTED = sql`f.session_id AS "sessionId", f.account_id AS "accountId", accounts.client_id AS "clientId", accounts.name AS "accountName", f.state, f.reason,
  f.attempts, f.due_at AS "dueAt", f.give_up_at AS "giveUpAt", f.created_at AS "createdAt", f.finished_at AS "finishedAt"`;

/** The newest first. */
export async function selectFollowUps(db: Db, filter: FollowUpFilter): Promise<ListedFollowUp[]> {
  const { accountId, state, since, limit } = filter;
  const which = [
    sql`account_id = accounts.id`,
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(since === undefined ? [] : [sql`created_at >= ${since}`]),
  ];
  const { rows } = await sql<ListedFollowUp>`
    SELECT ${LISTED}
    FROM accounts
    CROSS JOIN LATERAL (
      SELECT * FROM follow_ups WHERE ${sql.join(which, sql` AND `)} ORDER BY created_at DESC LIMIT ${limit}
    ) AS f
    ${accountId === undefined ? sql`` : sql`WHERE accounts.id = ${accountId}`}
    ORDER BY f.created_at DESC, f.session_id
    LIMIT ${limit}`.execute(db);
  return rows;
}

export async function selectFollowUp(
  db: Db,
  sessionId: string,
): Promise<ListedFollowUp | undefined> {
  const { rows } = await sql<ListedFollowUp>`
    SELECT ${LISTED} FROM follow_ups AS f JOIN accounts ON accounts.id = f.account_id
    WHERE f.session_id = ${sessionId}`.execute(db);
  return rows[0];
}

export async function selectTrouble(db: Db): Promise<{ accounts: number; unknown: number }> {
  const { rows } = await sql<{ accounts: number; unknown: number }>`
    SELECT (SELECT count(*)::integer FROM accounts WHERE follow_up) AS accounts,
      (SELECT count(*)::integer FROM follow_ups
       WHERE state = 'unknown' AND finished_at > clock_timestamp() - interval '7 days') AS unknown`.execute(
    db,
  );
  return rows[0]!;
}
