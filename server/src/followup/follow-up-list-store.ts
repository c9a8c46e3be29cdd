import { sql } from "kysely";
import type { Db } from "#platform";
import type { FollowUpFilter, ListedFollowUp } from "./follow-up-list.ts";

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
