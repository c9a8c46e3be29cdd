import type { ModelUsage } from "#models";
import type { Db, Trx } from "#platform";
import type { Evaluation } from "@svc/contract/types";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

const NOW = sql`date_trunc('milliseconds', clock_timestamp())`;

/** The state of a session's evaluations. */
export interface Standing {
  /** The number of evaluations, failed ones included. */
  versions: number;
  /** The one that is asked for and not finished. */
  pending: { version: number; timesAway: number } | undefined;
}

export async function selectStanding(db: Db | Trx, sessionId: string): Promise<Standing> {
  const { rows } = await sql<{
    version: number;
    state: string;
    timesAway: number;
  }>`
    SELECT version, state, times_away AS "timesAway"
    FROM evaluations WHERE session_id = ${sessionId} ORDER BY version`.execute(db);
  return { versions: rows.length, pending: rows.find(({ state }) => state === "pending") };
}

/** Undefined when another one is pending, which the request then joins. */
export async function insertPending(trx: Trx, sessionId: string): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    INSERT INTO evaluations (session_id, version, state, requested_at)
    SELECT ${sessionId}, coalesce(max(version), 0) + 1, 'pending', ${NOW}
    FROM evaluations WHERE session_id = ${sessionId}
    ON CONFLICT DO NOTHING
    RETURNING version`.execute(trx);
  return rows[0]?.version;
}

export interface Outcome {
  state: "written" | "failed";
  requestedAt: Date;
  usage: ModelUsage;
  model?: string;
  promptHash?: Buffer | undefined;
  summary?: string | undefined;
  evaluation?: Evaluation;
  dropped?: object[];
  failure?: string;
}

/**
 * Finishes the pending evaluation, or the first one, which has no row until it is finished.
 * Undefined when it has been finished before: whoever comes second writes nothing.
 */
export async function finishEvaluation(
  trx: Trx,
  sessionId: string,
  outcome: Outcome,
): Promise<{ version: number; finishedAt: Date } | undefined> {
  const { usage } = outcome;
  const { rows } = await sql<{ version: number; finishedAt: Date }>`
    WITH outcome AS (
      SELECT ${outcome.state} AS state, ${NOW} AS finished_at, ${outcome.model ?? null} AS model, ${outcome.promptHash ?? null}::bytea AS prompt_hash,
        ${usage.inputTokens}::integer AS input_tokens, ${usage.outputTokens}::integer AS output_tokens, ${usage.costMicros}::bigint AS cost_micros,
        ${outcome.summary ?? null} AS summary, ${json(outcome.evaluation)}::json AS evaluation,
        ${json(outcome.dropped?.length ? outcome.dropped : undefined)}::json AS dropped, ${outcome.failure ?? null} AS failure,
        ${outcome.failure === "model_away" ? 1 : 0}::integer AS times_away
    ), pending AS (
      UPDATE evaluations SET state = o.state, finished_at = o.finished_at, model = o.model, prompt_hash = o.prompt_hash,
        input_tokens = coalesce(evaluations.input_tokens, 0) + o.input_tokens, output_tokens = coalesce(evaluations.output_tokens, 0) + o.output_tokens,
        cost_micros = coalesce(evaluations.cost_micros, 0) + o.cost_micros, summary = o.summary, evaluation = o.evaluation,
        dropped = o.dropped, failure = o.failure, times_away = evaluations.times_away + o.times_away
      FROM outcome AS o
      WHERE session_id = ${sessionId} AND evaluations.state = 'pending'
      RETURNING version, evaluations.finished_at AS "finishedAt"
    ), first AS (
      INSERT INTO evaluations (session_id, version, state, requested_at, times_away, finished_at, model, prompt_hash,
        input_tokens, output_tokens, cost_micros, summary, evaluation, dropped, failure)
      SELECT ${sessionId}, 1, o.state, ${outcome.requestedAt}, o.times_away, o.finished_at, o.model, o.prompt_hash,
        o.input_tokens, o.output_tokens, o.cost_micros, o.summary, o.evaluation, o.dropped, o.failure
      FROM outcome AS o
      WHERE NOT EXISTS (SELECT FROM evaluations WHERE session_id = ${sessionId})
      ON CONFLICT DO NOTHING
      RETURNING version, finished_at AS "finishedAt"
    )
    SELECT * FROM pending UNION ALL SELECT * FROM first`.execute(trx);
  return rows[0];
}

function json(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** The model was away: the evaluation stays pending, or becomes it. */
export async function postponeEvaluation(
  trx: Trx,
  sessionId: string,
  spent: { requestedAt: Date; usage: ModelUsage },
): Promise<boolean> {
  const { usage } = spent;
  const { rows } = await sql`
    INSERT INTO evaluations AS e (session_id, version, state, requested_at, times_away, input_tokens, output_tokens, cost_micros)
    SELECT ${sessionId}, coalesce((SELECT version FROM evaluations WHERE session_id = ${sessionId} AND state = 'pending'), 1), 'pending',
      ${spent.requestedAt}, 1, ${usage.inputTokens}::integer, ${usage.outputTokens}::integer, ${usage.costMicros}::bigint
    ON CONFLICT (session_id, version) DO UPDATE SET
      times_away = e.times_away + 1,
      input_tokens = coalesce(e.input_tokens, 0) + excluded.input_tokens,
      output_tokens = coalesce(e.output_tokens, 0) + excluded.output_tokens,
      cost_micros = coalesce(e.cost_micros, 0) + excluded.cost_micros
      WHERE e.state = 'pending'
    RETURNING version`.execute(trx);
  return rows.length > 0;
}

/**
 * Matches evaluations that failed because no model could be reached and are due again, unless a newer
 * one has been requested since. The backoff doubles each time, up to five minutes: a session that no
 * model ever answers in time must not be retried all day. Without the inner bound, 2 ^ 1024 would
 * overflow and fail the statement for everybody.
 */
function awayAndDue(sinceSecs: number): RawBuilder<unknown> {
  return sql`${isAway(sinceSecs)}
        AND failed.finished_at < clock_timestamp() - make_interval(secs => least(2 ^ least(failed.times_away, 9), 300))`;
}

function isAway(sinceSecs: number): RawBuilder<unknown> {
  return sql`failed.failure = 'model_away' AND failed.requested_at > clock_timestamp() - make_interval(secs => ${sinceSecs})
        AND NOT EXISTS (SELECT FROM evaluations AS newer WHERE newer.session_id = failed.session_id AND newer.version > failed.version)`;
}

export async function hasModelAway(db: Db, sinceSecs: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM evaluations AS failed WHERE ${awayAndDue(sinceSecs)} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The number of evaluations for which no model could be reached: those that wait for the next try, and those that failed and are retried. */
export async function countModelAway(db: Db, sinceSecs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT (SELECT count(*) FROM evaluations WHERE state = 'pending' AND times_away > 0)::integer
      + (SELECT count(*) FROM evaluations AS failed WHERE ${isAway(sinceSecs)})::integer AS count`.execute(
    db,
  );
  return rows[0]!.count;
}

/** Makes them pending again, the oldest first. They are the same requests: no version is added. */
export async function reopenModelAway(
  trx: Trx,
  limit: number,
  sinceSecs: number,
): Promise<string[]> {
  const { rows } = await sql<{ sessionId: string }>`
    UPDATE evaluations SET state = 'pending', finished_at = NULL, failure = NULL
    WHERE (session_id, version) IN (
      SELECT session_id, version FROM evaluations AS failed
      WHERE ${awayAndDue(sinceSecs)}
      ORDER BY finished_at
      LIMIT ${limit}
      FOR UPDATE SKIP LOCKED)
    RETURNING session_id AS "sessionId"`.execute(trx);
  return rows.map(({ sessionId }) => sessionId);
}

/** Removes every evaluation of these sessions. One that is being made has lost its job by then and is not written. */
export async function forgetEvaluations(trx: Trx, sessionIds: string[]): Promise<void> {
  await sql`DELETE FROM evaluations WHERE session_id = ANY (${sessionIds}::uuid[])`.execute(trx);
}
