import type { Db, Trx } from "#platform";
import { sql } from "kysely";

/** Records that something was erased and how much, but never whose data it was. */
export interface Receipt {
  id: string;
  accountId: number;
  at: Date;
  scope: "person" | "session" | "retention";
  askedBy: string;
  sessions: number;
  deliveriesCancelled: number;
}

/** Writes the receipt, or adds a further batch to it. */
export async function addToReceipt(trx: Trx, receipt: Omit<Receipt, "at">): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    INSERT INTO erasures AS receipt (id, account_id, scope, asked_by, sessions, deliveries_cancelled)
    VALUES (${receipt.id}, ${receipt.accountId}, ${receipt.scope}, ${receipt.askedBy}, ${receipt.sessions}, ${receipt.deliveriesCancelled})
    ON CONFLICT (id) DO UPDATE SET sessions = receipt.sessions + excluded.sessions,
      deliveries_cancelled = receipt.deliveries_cancelled + excluded.deliveries_cancelled
    RETURNING at`.execute(trx);
  return rows[0]!.at;
}

/** One row for each account and day in UTC, however many batches there are. */
export async function addToDay(
  trx: Trx,
  day: Pick<Receipt, "id" | "accountId" | "sessions" | "deliveriesCancelled">,
): Promise<void> {
  await sql`
    INSERT INTO erasures AS day (id, account_id, scope, asked_by, sessions, deliveries_cancelled)
    VALUES (${day.id}, ${day.accountId}, 'retention', 'retention', ${day.sessions}, ${day.deliveriesCancelled})
    ON CONFLICT (account_id, ((at AT TIME ZONE 'UTC')::date)) WHERE scope = 'retention'
    DO UPDATE SET sessions = day.sessions + excluded.sessions,
      deliveries_cancelled = day.deliveries_cancelled + excluded.deliveries_cancelled`.execute(trx);
}

export interface ReceiptFilter {
  accountIds?: readonly number[];
  since?: Date;
  limit: number;
}

/** A receipt with the account that it is about; `null` when that was removed. */
export type ListedReceipt = Receipt & { clientId: string | null; accountName: string | null };

export async function selectReceipts(
  db: Db,
  { accountIds, since, limit }: ReceiptFilter,
): Promise<ListedReceipt[]> {
  const { rows } = await sql<ListedReceipt>`
    SELECT e.id, e.account_id AS "accountId", e.at, e.scope, e.asked_by AS "askedBy", e.sessions,
      e.deliveries_cancelled AS "deliveriesCancelled", a.client_id AS "clientId", a.name AS "accountName"
    FROM erasures AS e LEFT JOIN accounts AS a ON a.id = e.account_id
    WHERE (${accountIds ?? null}::integer[] IS NULL OR e.account_id = ANY (${accountIds ?? null}::integer[]))
      AND e.at >= ${since ?? new Date(0)}
    ORDER BY e.at DESC, e.id
    LIMIT ${limit}`.execute(db);
  return rows;
}

export interface RestoredState {
  at: Date;
  /** Mails that are no longer sent, since they may have been. */
  mailsDropped: number;
  /** Deliveries that go on; receivers may get some of them a second time. */
  deliveriesPending: number;
}

export async function insertRestore(trx: Trx): Promise<RestoredState> {
  const { rows } = await sql<RestoredState>`
    INSERT INTO restores DEFAULT VALUES
    RETURNING at,
      (SELECT count(*)::integer FROM follow_ups WHERE state = 'waiting') AS "mailsDropped",
      (SELECT count(*)::integer FROM deliveries WHERE finished_at IS NULL) AS "deliveriesPending"`.execute(
    trx,
  );
  return rows[0]!;
}

/** Those of the sessions that are there. */
export async function selectPresent(db: Db, sessionIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sessions WHERE id = ANY (${sessionIds}::uuid[]) ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The data that would be removed with these sessions, account by account. */
export interface Holdings {
  accountId: number;
  clientId: string;
  accountName: string;
  sessionIds: string[];
  firstAt: Date;
  lastAt: Date;
  goingOn: number;
  deliveriesPending: number;
}

export async function selectHoldings(db: Db, sessionIds: string[]): Promise<Holdings[]> {
  const { rows } = await sql<Holdings>`
    SELECT a.id AS "accountId", a.client_id AS "clientId", a.name AS "accountName",
      array_agg(s.id::text ORDER BY s.created_at) AS "sessionIds", min(s.created_at) AS "firstAt", max(s.created_at) AS "lastAt",
      count(*) FILTER (WHERE s.ended_at IS NULL)::integer AS "goingOn",
      sum((SELECT count(*) FROM webhook_events AS event JOIN deliveries AS d ON d.event_id = event.id
        WHERE event.session_id = s.id AND d.finished_at IS NULL))::integer AS "deliveriesPending"
    FROM sessions AS s JOIN accounts AS a ON a.id = s.account_id
    WHERE s.id = ANY (${sessionIds}::uuid[])
    GROUP BY a.id
    ORDER BY a.id`.execute(db);
  return rows;
}

/** False while another process holds the lock, which is held until the transaction ends. */
export async function tryRetentionLock(trx: Trx): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtext('retention')) AS got`.execute(trx);
  return rows[0]!.got;
}
