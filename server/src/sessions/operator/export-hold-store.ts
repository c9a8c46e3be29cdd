import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import { DEADLINE } from "../record/sweep-store.ts";

/** An unsettled session: what it waits for, and until when. */
export interface Hold {
  sessionId: string;
  createdAt: Date;
  /** `visitor`: to connect; `conversation`: to end; `evaluation`: to be written. */
  waitsFor: "visitor" | "conversation" | "evaluation";
  until: Date | null;
  /** Whether the deadline has passed, by the database's clock. */
  overdue: boolean;
}

/** Every unsettled session with what it waits for and its deadline. */
const UNSETTLED = sql`
  SELECT sessions.id, sessions.account_id, sessions.created_at, ${DEADLINE} AS until,
    CASE
      WHEN ended_at IS NOT NULL THEN 'evaluation'
      WHEN connected_at IS NULL OR return_by IS NOT NULL THEN 'visitor'
      ELSE 'conversation'
    END AS for
  FROM sessions
  WHERE sessions.settled_at IS NULL`;

const HOLD = sql`id AS "sessionId", created_at AS "createdAt", "for" AS "waitsFor", until, coalesce(until < clock_timestamp(), false) AS overdue`;

/**
 * Of each of these accounts the oldest unsettled session that is not a test, and how many finished ones
 * wait behind it. None where the account's export shows each session as it settles: nothing waits there.
 */
export async function selectHolds(
  db: Db | Trx,
  accountIds: readonly number[],
): Promise<(Hold & { accountId: number; behind: number })[]> {
  const { rows } = await sql<Hold & { accountId: number; behind: number }>`
    SELECT accounts.id AS "accountId", held.*, (
      SELECT count(*)::integer FROM session_exports
      WHERE account_id = accounts.id AND (session_exports.created_at, session_exports.id) > (held."createdAt", held."sessionId")
    ) AS behind
    FROM accounts
    CROSS JOIN LATERAL (
      SELECT ${HOLD} FROM (${UNSETTLED} AND sessions.account_id = accounts.id AND NOT sessions.test ORDER BY sessions.created_at, sessions.id LIMIT 1) AS unsettled
    ) AS held
    WHERE accounts.id = ANY (${accountIds}::integer[]) AND export_mode = 'settled_prefix'`.execute(
    db,
  );
  return rows;
}

export async function selectOldestUnsettled(
  db: Db,
): Promise<(Hold & { ageSecs: number }) | undefined> {
  const { rows } = await sql<Hold & { ageSecs: number }>`
    SELECT ${HOLD}, extract(epoch FROM clock_timestamp() - created_at)::float8 AS "ageSecs"
    FROM (${UNSETTLED} AND NOT sessions.test ORDER BY sessions.created_at, sessions.id LIMIT 1) AS unsettled`.execute(
    db,
  );
  return rows[0];
}

/** Returns what an unsettled session waits for. */
export async function selectWait(db: Trx, id: string): Promise<Hold | undefined> {
  const { rows } = await sql<Hold>`
    SELECT ${HOLD} FROM (${UNSETTLED} AND sessions.id = ${id}) AS unsettled`.execute(db);
  return rows[0];
}

/** The number of unsettled sessions past their deadline, and the oldest. */
export async function selectOverdue(
  db: Db,
  graceSecs: number,
): Promise<{ count: number; oldest: Hold | undefined }> {
  const { rows } = await sql<Hold & { count: number }>`
    SELECT ${HOLD}, (count(*) OVER ())::integer AS count
    FROM (${UNSETTLED} AND NOT sessions.test) AS unsettled
    WHERE until < clock_timestamp() - make_interval(secs => ${graceSecs})
    ORDER BY until
    LIMIT 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return { count: 0, oldest: undefined };
  const { count, ...oldest } = row;
  return { count, oldest };
}

export async function selectTraceparent(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ traceparent: string | null }>`
    SELECT traceparent FROM sessions WHERE id = ${id}`.execute(db);
  return rows[0]?.traceparent ?? undefined;
}
