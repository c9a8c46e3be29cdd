import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { ListedSession } from "../operator/session-list.ts";
import type { TalkRecord } from "./unanswered.ts";

/** What was heard in these sessions, and what their replies left in the record. */
export async function selectTalks(
  db: Db | Trx,
  sessions: Pick<ListedSession, "id" | "createdAt" | "agentVersion" | "language">[],
): Promise<TalkRecord[]> {
  // Each by its key: PostgreSQL would otherwise read all that lies between the oldest and the newest.
  const logOf = (table: "turns" | "session_events"): RawBuilder<unknown> => sql`
    unnest(${sessions.map(({ createdAt }) => createdAt)}::timestamptz[], ${sessions.map(({ id }) => id)}::uuid[]) AS wanted (at, id)
    CROSS JOIN LATERAL (
      SELECT * FROM ${sql.table(table)} WHERE session_at = wanted.at AND session_id = wanted.id OFFSET 0
    ) AS log`;
  const turns = await sql<TalkRecord["turns"][number] & { id: string }>`
    SELECT wanted.id, role, content, log.at FROM ${logOf("turns")} ORDER BY seq`.execute(db);
  // Of what the model was told only the language matters: the rest would be most of the bytes.
  const events = await sql<TalkRecord["events"][number] & { id: string }>`
    SELECT wanted.id, kind, log.at,
      CASE kind WHEN 'state' THEN jsonb_build_object('language', detail -> 'language') ELSE detail END AS detail
    FROM ${logOf("session_events")}
    WHERE kind IN ('state', 'search', 'held', 'sources') OR kind = 'direction' AND detail ->> 'name' = 'unknown'
    ORDER BY seq`.execute(db);
  const turnsOf = Map.groupBy(turns.rows, ({ id }) => id);
  const eventsOf = Map.groupBy(events.rows, ({ id }) => id);
  return sessions.map(({ id, agentVersion, language }) => ({
    id,
    agentVersion,
    language: language ?? "en",
    turns: turnsOf.get(id) ?? [],
    events: eventsOf.get(id) ?? [],
  }));
}
