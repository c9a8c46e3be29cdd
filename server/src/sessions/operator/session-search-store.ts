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

/**
 * The newest settled sessions whose digest fits. What fits many is found by reading from the newest
 * backwards, what fits few by the index of terms: either way alone would read nearly every digest for
 * some searches. PostgreSQL only has a guess of how many fit, so the index follows where the newest were
 * too few.
 */
export async function selectFitting(db: Db, search: DigestSearch): Promise<string[]> {
  const most = await newestToRead(db, search);
  if (most > 0) {
    const found = await selectAmongNewest(db, search, most);
    if (found.length === search.limit || (await countNewest(db, search, most)) < most) return found;
  }
  return selectByTerms(db, search);
}

/** How many of the newest should hold a page of what fits, as PostgreSQL guesses from its statistics; 0 where fewer fit than are read for it. */
async function newestToRead(db: Db, { query, limit, accountIds }: DigestSearch): Promise<number> {
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
  const expected = Math.ceil((table.rows[0]!.count * limit) / fitting);
  // Twice as many, because what fits comes in no even order.
  return expected * (accountIds?.length ?? 1) > fitting ? 0 : 2 * Math.max(limit, expected);
}

/** Of one account, or of all, it stops reading when the page is full. */
async function selectAmongNewest(db: Db, search: DigestSearch, most: number): Promise<string[]> {
  const { query, limit } = search;
  const { rows } = await sql<{ id: string }>`
    SELECT session_id AS id FROM (${newest(search, most)}) AS newest WHERE terms @@ ${query}::tsquery
    ORDER BY created_at DESC, session_id DESC LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

async function countNewest(db: Db, search: DigestSearch, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (${newest(search, most)}) AS newest`.execute(db);
  return rows[0]!.count;
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
  if (accountIds.length === 1) return read(sql`account_id = ${accountIds[0]}`);
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
