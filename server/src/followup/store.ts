import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { Recipient } from "./suppression-store.ts";

const NOW = sql`date_trunc('milliseconds', clock_timestamp())`;
/** Both the account and the agent send mails about sessions such as this one. */
const IS_WANTED = sql`(NOT s.test AND a.follow_up AND v.config->>'followUp' IS DISTINCT FROM 'false')`;

export interface FollowUpOrder {
  sessionId: string;
  /** The version of the evaluation that orders the mail. */
  version: number;
  mark: Buffer;
}

/**
 * False when no mail is to be sent. A session with an older written evaluation gets none:
 * otherwise, once an account switches mails on, every session that is evaluated again would be
 * mailed.
 */
export async function insertFollowUp(trx: Trx, order: FollowUpOrder): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO follow_ups (session_id, account_id, address_mark, due_at, give_up_at, created_at)
    SELECT s.id, s.account_id, ${order.mark}, now, now + interval '24 hours', now
    FROM sessions AS s
    JOIN accounts AS a ON a.id = s.account_id
    JOIN agent_versions AS v ON v.agent_id = s.agent_id AND v.version = s.agent_version
    JOIN evaluations AS e ON e.session_id = s.id AND e.version = ${order.version}
    CROSS JOIN (SELECT ${NOW} AS now) AS clock
    WHERE s.id = ${order.sessionId} AND s.end_reason <> 'imported' AND ${IS_WANTED}
      AND coalesce(e.evaluation->>'prospect_summary', '') <> ''
      AND NOT EXISTS (
        SELECT FROM evaluations AS older
        WHERE older.session_id = s.id AND older.version < ${order.version} AND older.state = 'written')
    ON CONFLICT (session_id) DO NOTHING
    RETURNING session_id`.execute(trx);
  return rows.length > 0;
}

export interface Expectation {
  email: string | null;
  verified: boolean | null;
  isWanted: boolean;
}

/** Undefined once the session has been erased. */
export async function selectExpectation(
  db: Db,
  sessionId: string,
): Promise<Expectation | undefined> {
  const { rows } = await sql<Expectation>`
    SELECT s.email, s.email_verified AS verified, ${IS_WANTED} AS "isWanted"
    FROM sessions AS s
    JOIN accounts AS a ON a.id = s.account_id
    JOIN agent_versions AS v ON v.agent_id = s.agent_id AND v.version = s.agent_version
    WHERE s.id = ${sessionId}`.execute(db);
  return rows[0];
}

/** The facts that a mail is composed from. */
export interface Addressee {
  sessionId: string;
  accountId: number;
  agentId: string;
  agentVersion: number;
  startedAt: Date;
  email: string;
  emailVerified: boolean | null;
  language: string | null;
  prospectSummary: string;
  /**
   * Everything by which a visitor can put words into the model's mouth: their turns and metadata, with the keys, here and
   * in the conversations that this one goes on from. What a page answered to an action is not stored, so after
   * one the agent's turns may come from it, and stand here too.
   */
  visitorTexts: string[];
}

/** Undefined once the session has been erased. */
export async function selectAddressee(db: Db, sessionId: string): Promise<Addressee | undefined> {
  const { rows } = await sql<Addressee>`
    WITH RECURSIVE chain AS (
      SELECT ${sessionId}::uuid AS id
      UNION SELECT visits.continues FROM chain JOIN visits ON visits.session_id = chain.id WHERE visits.continues IS NOT NULL
    ), talks AS MATERIALIZED (
      SELECT id, created_at, metadata FROM sessions WHERE id IN (SELECT id FROM chain)
    ), after_actions AS MATERIALIZED (
      SELECT EXISTS (SELECT FROM talks JOIN session_events AS event ON event.session_at = talks.created_at AND event.session_id = talks.id
        WHERE event.kind = 'action') AS is_so
    )
    SELECT s.id AS "sessionId", s.account_id AS "accountId", s.agent_id AS "agentId", s.agent_version AS "agentVersion",
      s.created_at AS "startedAt", s.email, s.email_verified AS "emailVerified",
      coalesce(s.language, e.evaluation::json->>'language') AS language,
      coalesce(e.evaluation::json->>'prospect_summary', '') AS "prospectSummary",
      ARRAY(SELECT content FROM talks JOIN turns ON turns.session_at = talks.created_at AND turns.session_id = talks.id
        WHERE role = 'user' OR (SELECT is_so FROM after_actions))
        || ARRAY(SELECT key || ' ' || value FROM talks CROSS JOIN json_each_text(coalesce(talks.metadata, '{}'))) AS "visitorTexts"
    FROM sessions AS s
    JOIN session_exports AS e ON e.account_id = s.account_id AND e.created_at = s.created_at AND e.id = s.id
    WHERE s.id = ${sessionId} AND s.email IS NOT NULL`.execute(db);
  return rows[0];
}

/** A follow-up that is not finished. */
export interface Standing {
  state: "waiting" | "sending";
  attempts: number;
  /** No further attempt may begin. */
  isLate: boolean;
  /** The session came from a backup: what was lost with the former database may have sent the mail. */
  isRestored: boolean;
}

/** Locked until the transaction ends: two runs of the same job must not both find it waiting. */
export async function lockStanding(trx: Trx, sessionId: string): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    SELECT state, attempts, give_up_at <= clock_timestamp() AS "isLate",
      EXISTS (SELECT FROM sessions AS s JOIN restores AS r ON r.at > s.created_at WHERE s.id = session_id) AS "isRestored"
    FROM follow_ups
    WHERE session_id = ${sessionId} AND finished_at IS NULL
    FOR UPDATE`.execute(trx);
  return rows[0];
}

/**
 * Locks the account and the mailbox, in this order, until the transaction ends: otherwise two sessions
 * could both be counted as the last that a limit allows.
 */
export async function lockCounts(trx: Trx, { accountId, marks }: Recipient): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${LOCKS.account}, ${accountId})`.execute(trx);
  await sql`SELECT pg_advisory_xact_lock(${LOCKS.mailbox}, hashtext(${marks[0].toString("hex")}))`.execute(
    trx,
  );
}

/** The first keys of the advisory locks. */
const LOCKS = { mailbox: 7_306, account: 7_307 };

/** Mails that were sent within a day, or may have been. */
export interface MailCounts {
  toMailbox: number;
  ofAccountToMailbox: number;
  /** For conversations from the network address of this session's visitor. */
  ofVisitor: number;
  ofAccount: number;
}

export async function countMailed(
  db: Db | Trx,
  { sessionId, accountId, marks }: Recipient & { sessionId: string },
): Promise<MailCounts> {
  const { rows } = await sql<MailCounts>`
    WITH mailed AS NOT MATERIALIZED (
      SELECT session_id, account_id, address_mark, created_at FROM follow_ups
      WHERE state IN ('sending', 'sent', 'unknown')
        AND (finished_at IS NULL OR finished_at > clock_timestamp() - interval '24 hours')
    ), of_account AS (
      -- None is attempted for more than a day: the index on created_at bounds what is read.
      SELECT session_id FROM mailed
      WHERE account_id = ${accountId} AND created_at > clock_timestamp() - interval '50 hours'
    ), erased AS NOT MATERIALIZED (
      SELECT account_id, address_mark, visitor FROM erased_mails WHERE mailed_at > clock_timestamp() - interval '24 hours'
    ), to_mailbox AS (
      SELECT account_id FROM mailed WHERE address_mark = ANY (${marks})
      UNION ALL SELECT account_id FROM erased WHERE address_mark = ANY (${marks})
    ), erased_of_account AS (
      SELECT visitor FROM erased WHERE account_id = ${accountId}
    )
    SELECT (SELECT count(*)::integer FROM to_mailbox) AS "toMailbox",
      (SELECT count(*)::integer FROM to_mailbox WHERE account_id = ${accountId}) AS "ofAccountToMailbox",
      (SELECT count(*)::integer FROM visits AS mine
       JOIN visits AS theirs ON theirs.account_id = mine.account_id AND theirs.address = mine.address
       JOIN of_account ON of_account.session_id = theirs.session_id
       WHERE mine.session_id = ${sessionId})
      + (SELECT count(*)::integer FROM visits AS mine JOIN erased_of_account ON visitor = mine.address
         WHERE mine.session_id = ${sessionId}) AS "ofVisitor",
      (SELECT count(*)::integer FROM of_account) + (SELECT count(*)::integer FROM erased_of_account) AS "ofAccount"`.execute(
    db,
  );
  return rows[0]!;
}

/** After the commit, nobody else may send this mail. */
export async function beginSending(
  trx: Trx,
  { sessionId, needsConfirmation }: { sessionId: string; needsConfirmation: boolean },
): Promise<void> {
  await sql`
    UPDATE follow_ups SET state = 'sending', attempts = attempts + 1, reason = NULL, needs_confirmation = ${needsConfirmation}
    WHERE session_id = ${sessionId} AND state = 'waiting'`.execute(trx);
}

/** False where the link of the session's mail must not show yet what was said. */
export async function selectIsReadable(db: Db, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM follow_ups WHERE session_id = ${sessionId} AND needs_confirmation AND confirmed_at IS NULL`.execute(
    db,
  );
  return rows.length === 0;
}

export async function setConfirmed(db: Db, sessionId: string): Promise<void> {
  await sql`
    UPDATE follow_ups SET confirmed_at = ${NOW} WHERE session_id = ${sessionId} AND confirmed_at IS NULL`.execute(
    db,
  );
}

export type FinalState = "sent" | "refused" | "unknown" | "skipped";

export interface Ending {
  sessionId: string;
  /** The number of the attempt that ends. A later attempt must not be ended by it. */
  attempts: number;
  state: FinalState;
  reason: string | null;
}

/** False when another process has finished it, or the session has been erased. */
export async function finishFollowUp(trx: Trx, ending: Ending): Promise<boolean> {
  const { rows } = await sql`
    UPDATE follow_ups SET state = ${ending.state}, reason = ${ending.reason}, finished_at = ${NOW}
    WHERE session_id = ${ending.sessionId} AND attempts = ${ending.attempts} AND finished_at IS NULL
    RETURNING session_id`.execute(trx);
  return rows.length > 0;
}

export interface Postponement {
  sessionId: string;
  attempts: number;
  reason: string;
  afterSecs: number;
}

/** `late` when the next attempt would begin after the deadline. */
export async function postponeFollowUp(
  trx: Trx,
  { sessionId, attempts, reason, afterSecs }: Postponement,
): Promise<"postponed" | "late" | "gone"> {
  const { rows } = await sql<{ isLate: boolean }>`
    WITH mine AS (
      SELECT session_id, ${NOW} + make_interval(secs => ${afterSecs}) AS next, give_up_at FROM follow_ups
      WHERE session_id = ${sessionId} AND attempts = ${attempts} AND state = 'sending'
      FOR UPDATE
    ), postponed AS (
      UPDATE follow_ups SET state = 'waiting', reason = ${reason}, due_at = mine.next
      FROM mine WHERE follow_ups.session_id = mine.session_id AND mine.next < mine.give_up_at
    )
    SELECT next >= give_up_at AS "isLate" FROM mine`.execute(trx);
  if (rows[0] === undefined) return "gone";
  return rows[0].isLate ? "late" : "postponed";
}

/** Mails of the last day still count, without their sessions. Before the visits are deleted. */
export async function deleteFollowUps(trx: Trx, sessionIds: string[]): Promise<void> {
  await sql`
    WITH deleted AS (
      DELETE FROM follow_ups WHERE session_id = ANY (${sessionIds}::uuid[])
      RETURNING session_id, account_id, address_mark, state, coalesce(finished_at, ${NOW}) AS mailed_at
    )
    INSERT INTO erased_mails (account_id, address_mark, visitor, mailed_at)
    SELECT account_id, address_mark, (SELECT address FROM visits WHERE visits.session_id = deleted.session_id), mailed_at
    FROM deleted
    WHERE state IN ('sending', 'sent', 'unknown') AND mailed_at > clock_timestamp() - interval '24 hours'`.execute(
    trx,
  );
}

export async function deleteErasedMails(db: Db): Promise<void> {
  await sql`DELETE FROM erased_mails WHERE mailed_at < clock_timestamp() - interval '24 hours'`.execute(
    db,
  );
}

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
  /** Only mails ordered since then. */
  since?: Date;
  limit: number;
}

/** The mail of one session. The recipient's address stands in the session alone. */
export interface ListedFollowUp {
  sessionId: string;
  accountId: number;
  clientId: string;
  accountName: string;
  state: FollowUpState;
  /** Why it was skipped or refused, or what the mail server said last. */
  reason: string | null;
  /** The number of attempts that have begun. */
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
