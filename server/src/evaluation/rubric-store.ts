import type { Evaluation, Metadata, TranscriptEntry } from "@svc/contract/types";
import { sql } from "kysely";
import type { Db } from "#platform";
import type { Conversation } from "./rubric-of.ts";

/** A session as it was judged, with what came of it. */
export interface EvaluatedRow {
  id: string;
  startedAt: Date;
  conversation: Conversation;
  evaluation: Evaluation;
}

/** The newest sessions of an agent that have an evaluation and a conversation, tests left out. */
export async function selectNewestEvaluated(
  db: Db,
  { accountId, agentId }: { accountId: number; agentId: string },
  limit: number,
): Promise<EvaluatedRow[]> {
  const { rows } = await sql<{
    id: string;
    startedAt: Date;
    metadata: Metadata | null;
    transcript: TranscriptEntry[];
    evaluation: Evaluation;
  }>`
    SELECT id, created_at AS "startedAt", metadata::json AS metadata, transcript::json AS transcript, evaluation::json AS evaluation
    FROM session_exports
    WHERE account_id = ${accountId} AND agent_id = ${agentId} AND evaluation IS NOT NULL AND transcript IS NOT NULL
    ORDER BY created_at DESC, id DESC
    LIMIT ${limit}`.execute(db);
  return rows.map(({ id, startedAt, metadata, transcript, evaluation }) => ({
    id,
    startedAt,
    conversation: {
      turns: transcript.map((turn) => ({ ...turn, interrupted: turn.interrupted ?? false })),
      metadata: metadata ?? {},
      date: startedAt.toISOString().slice(0, 10),
    },
    evaluation,
  }));
}
