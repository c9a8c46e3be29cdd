import type { Db } from "#platform";
import { sql } from "kysely";

/** The state that a `live` process reports to the others. */
export interface LiveProcess {
  id: string;
  /** The number of conversations that it runs, and its maximum. */
  sessions: number;
  capacity: number;
  /** The process is stopping and takes no new sessions. */
  draining: boolean;
  /** Whether its language model answers. */
  modelAnswers: boolean;
  /** Whether its speech providers answer. */
  speechAnswers: boolean;
}

export async function upsertProcess(db: Db, process: LiveProcess): Promise<"new" | "known"> {
  // `xmax` is 0 only for a row that was inserted, not updated.
  const { rows } = await sql<{ inserted: boolean }>`
    INSERT INTO live_processes (id, started_at, renewed_at, sessions, capacity, draining, model_answers, speech_answers)
    VALUES (${process.id}, clock_timestamp(), clock_timestamp(), ${process.sessions}, ${process.capacity},
      ${process.draining}, ${process.modelAnswers}, ${process.speechAnswers})
    ON CONFLICT (id) DO UPDATE SET renewed_at = clock_timestamp(), sessions = excluded.sessions,
      capacity = excluded.capacity, draining = excluded.draining, model_answers = excluded.model_answers,
      speech_answers = excluded.speech_answers
    RETURNING xmax = 0 AS inserted`.execute(db);
  return rows[0]?.inserted ? "new" : "known";
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await sql`DELETE FROM live_processes WHERE id = ${id}`.execute(db);
}

/** The processes that accept new sessions. */
export async function selectLiving(
  db: Db,
  leaseSecs: number,
): Promise<{ processes: number; places: number; voice: boolean }> {
  const { rows } = await sql<{ processes: number; places: number; voice: boolean }>`
    SELECT count(*)::integer AS processes, coalesce(sum(greatest(capacity - sessions, 0)), 0)::integer AS places,
      coalesce(bool_or(speech_answers), false) AS voice
    FROM live_processes
    WHERE renewed_at > clock_timestamp() - make_interval(secs => ${leaseSecs}) AND NOT draining AND model_answers`.execute(
    db,
  );
  return rows[0]!;
}

/** Returns whether several accounts have an agent that visitors can start. */
export async function selectIsShared(db: Db): Promise<boolean> {
  const { rows } = await sql`
    SELECT account_id FROM agents
    WHERE state = 'live' AND current_version IS NOT NULL AND removed_at IS NULL
    GROUP BY account_id
    LIMIT 2`.execute(db);
  return rows.length > 1;
}

/** The conversations of all processes: the account's, and those of the account that has the most beside it. */
export async function countCalls(
  db: Db,
  accountId: number,
): Promise<{ own: number; largestOther: number }> {
  const { rows } = await sql<{ own: number; largestOther: number }>`
    SELECT coalesce(max(calls) FILTER (WHERE account_id = ${accountId}), 0)::integer AS own,
      coalesce(max(calls) FILTER (WHERE account_id <> ${accountId}), 0)::integer AS "largestOther"
    FROM (
      SELECT account_id, count(*) AS calls FROM sessions
      WHERE ended_at IS NULL AND connected_at IS NOT NULL
      GROUP BY account_id
    ) AS counted`.execute(db);
  return rows[0]!;
}

export async function selectNotCarried(
  db: Db,
  processId: string,
  sessionIds: string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id::text FROM unnest(${sessionIds}::uuid[]) AS id
    WHERE NOT EXISTS (SELECT FROM visits WHERE session_id = id AND process_id = ${processId})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/**
 * The time that a process which was only cut off from the database has to report that its visitors are
 * still connected.
 */
const SAY_WITHIN_SECS = 15;

/**
 * Deletes processes whose lease has expired and gives their visitors a minute from the last heartbeat. A
 * visitor who returns is connected to another process. After an outage of the database that minute
 * has passed, and every process seems dead until its next heartbeat.
 */
export async function markDead(
  db: Db,
  { leaseSecs, returnWithinSecs }: { leaseSecs: number; returnWithinSecs: number },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    WITH dead AS (
      DELETE FROM live_processes
      WHERE renewed_at < clock_timestamp() - make_interval(secs => ${leaseSecs})
      RETURNING id, renewed_at
    )
    UPDATE sessions SET return_by = greatest(dead.renewed_at + make_interval(secs => ${returnWithinSecs}),
      clock_timestamp() + make_interval(secs => ${SAY_WITHIN_SECS}))
    FROM visits JOIN dead ON dead.id = visits.process_id
    WHERE sessions.id = visits.session_id AND sessions.ended_at IS NULL AND sessions.return_by IS NULL
    RETURNING sessions.id`.execute(db);
  return rows.length;
}
