import type { Db } from "#platform";
import type { Evaluation, TranscriptEntry } from "@svc/contract/types";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { ListedSession } from "./session-list-store.ts";

export interface DigestSearch {
  /** A `tsquery` over the digests' terms. */
  query: string;
  accountIds?: readonly number[];
  since?: Date;
  /** Only older than this one, in the order of the list. */
  before?: { at: Date; id: string };
  limit: number;
}

/** More are not read in the hope of a page. */
const NEWEST = 2_000;

/**
 * The newest settled sessions whose digest fits. What fits many is found by reading from the newest
 * backwards, what fits few by the index of terms: either way alone would read nearly every digest for
 * some searches. PostgreSQL only has a guess of how many fit, so the index follows where the newest were
 * too few.
 */
export async function selectFitting(db: Db, search: DigestSearch): Promise<string[]> {
  const most = await newestToRead(db, search);
  const found = most === 0 ? undefined : await selectAmongNewest(db, search, most);
  return found ?? selectByTerms(db, search);
}

/** How many of the newest should hold a page of what fits, as PostgreSQL guesses from its statistics; 0 where that is too many. */
async function newestToRead(db: Db, { query, limit }: DigestSearch): Promise<number> {
  // Of beginnings it makes a blind guess where digests have few different words. As whole words, fewer fit than do.
  const words = query.replaceAll("':*", "'");
  const [plan, table] = await Promise.all([
    sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
      EXPLAIN (FORMAT JSON) SELECT FROM session_digests WHERE terms @@ ${words}::tsquery`.execute(
      db,
    ),
    sql<{ count: number }>`
      SELECT reltuples AS count FROM pg_class WHERE oid = 'session_digests'::regclass`.execute(db),
  ]);
  const fitting = plan.rows[0]!["QUERY PLAN"][0].Plan["Plan Rows"];
  const expected = (table.rows[0]!.count * limit) / fitting;
  // Twice as many, because what fits comes in no even order.
  return expected > NEWEST ? 0 : Math.min(NEWEST, Math.max(2 * limit, Math.ceil(2 * expected)));
}

/** Undefined where there may be more that fit than were found. */
async function selectAmongNewest(
  db: Db,
  search: DigestSearch,
  most: number,
): Promise<string[] | undefined> {
  const { query, limit } = search;
  const { rows } = await sql<{ read: number; id: string | null }>`
    WITH newest AS MATERIALIZED (${newest(search, most)}),
      found AS (SELECT session_id, created_at FROM newest WHERE terms @@ ${query}::tsquery ORDER BY created_at DESC, session_id DESC LIMIT ${limit})
    SELECT read.count AS read, found.session_id AS id
    FROM (SELECT count(*)::integer AS count FROM newest) AS read LEFT JOIN found ON true
    ORDER BY found.created_at DESC, found.session_id DESC`.execute(db);
  const ids = rows.flatMap(({ id }) => id ?? []);
  return ids.length === limit || rows[0]!.read < most ? ids : undefined;
}

async function selectByTerms(db: Db, search: DigestSearch): Promise<string[]> {
  const { query, limit } = search;
  const { rows } = await sql<{ id: string }>`
    WITH found AS MATERIALIZED (
      SELECT session_id, created_at, account_id FROM session_digests WHERE terms @@ ${query}::tsquery
    )
    SELECT session_id AS id FROM found WHERE ${within(search)} AND ${ofAccounts(search)}
    ORDER BY created_at DESC, session_id DESC
    LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Of some accounts, each is read from its own index: in one order a quiet one would pass all of the busy ones. */
function newest(search: DigestSearch, most: number): RawBuilder<unknown> {
  const { accountIds } = search;
  const read = (whose: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    SELECT session_id, created_at, terms FROM session_digests
    WHERE ${whose} AND ${within(search)} ORDER BY created_at DESC, session_id DESC LIMIT ${most}`;
  if (accountIds === undefined) return read(sql`true`);
  return sql`
    SELECT theirs.* FROM unnest(${accountIds}::integer[]) AS account (id)
    CROSS JOIN LATERAL (${read(sql`account_id = account.id`)}) AS theirs
    ORDER BY created_at DESC, session_id DESC LIMIT ${most}`;
}

function within({ since, before }: DigestSearch): RawBuilder<unknown> {
  return sql`${since === undefined ? sql`true` : sql`created_at >= ${since}`}
    AND ${before === undefined ? sql`true` : sql`(created_at, session_id) < (${before.at}, ${before.id})`}`;
}

function ofAccounts({ accountIds }: DigestSearch): RawBuilder<unknown> {
  return accountIds === undefined ? sql`true` : sql`account_id = ANY (${accountIds}::integer[])`;
}

/** What customers read of a session. */
export interface SessionContents {
  id: string;
  evaluation: Evaluation | null;
  /** Null, too, where it was not asked for. */
  transcript: TranscriptEntry[] | null;
}

/** The contents of these sessions. Test sessions are in no export: of them only the evaluation is read. */
export async function selectContents(
  db: Db,
  sessions: readonly ListedSession[],
  withTranscript: boolean,
): Promise<SessionContents[]> {
  const { rows } = await sql<SessionContents>`
    SELECT wanted.id, ${withTranscript ? sql`export.transcript::json` : sql`NULL`} AS transcript,
      CASE WHEN wanted.test THEN (
        SELECT evaluation FROM evaluations
        WHERE session_id = wanted.id AND state = 'written' ORDER BY version DESC LIMIT 1
      ) ELSE export.evaluation::json END AS evaluation
    FROM unnest(
      ${sessions.map(({ accountId }) => accountId)}::integer[],
      ${sessions.map(({ createdAt }) => createdAt)}::timestamptz[],
      ${sessions.map(({ id }) => id)}::uuid[],
      ${sessions.map(({ test }) => test)}::boolean[]
    ) AS wanted (account_id, created_at, id, test)
    LEFT JOIN session_exports AS export USING (account_id, created_at, id)`.execute(db);
  return rows;
}
