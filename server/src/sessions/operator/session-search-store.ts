import type { Db } from "#platform";
import type { Evaluation, TranscriptEntry } from "@svc/contract/types";
import { sql } from "kysely";
import type { ListedSession } from "./session-list-store.ts";

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
