import { storable } from "#platform";
import type { Db, Trx } from "#platform";
import { sql } from "kysely";
import type { Scene } from "../record/scene.ts";

/** A session's total use of a model since its start. Totals, so that storing one twice counts it once. */
export interface LiveUsage {
  model: string;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  costMicros: number;
}

/**
 * A process that is frozen in the middle of a write loses its lock before a browser takes it for dead: with more, the
 * process that takes over would wait for the lock while the visitor hears nothing. One that is only starved, and stands
 * still for so long, loses the write as well; the recorder makes it again.
 */
const FROZEN_MS = 1_000;

/** Undefined when the session has been erased. */
export async function lockEpoch(
  trx: Trx,
  sessionId: string,
): Promise<{ epoch: number; isOver: boolean } | undefined> {
  const { rows } = await sql<{ epoch: number; isOver: boolean }>`
    SELECT v.epoch, s.ended_at IS NOT NULL AS "isOver",
      set_config('idle_in_transaction_session_timeout', ${String(FROZEN_MS)}, true)
    FROM visits AS v JOIN sessions AS s ON s.id = v.session_id
    WHERE v.session_id = ${sessionId}
    FOR NO KEY UPDATE OF v`.execute(trx);
  return rows[0];
}

/** From now on the last token only lets its holder begin a session that goes on from this one. */
export async function forgetTokens(trx: Trx, sessionId: string): Promise<void> {
  await sql`
    UPDATE visits SET ticket_hash = NULL, resume_hash = NULL, previous_hash = NULL, continue_hash = resume_hash, scene = NULL
    WHERE session_id = ${sessionId}`.execute(trx);
}

export async function insertEvents(
  trx: Trx,
  session: { id: string; createdAt: Date },
  events: { at: Date; kind: string; detail: Record<string, unknown> }[],
): Promise<void> {
  const rows = events.map(
    ({ at, kind, detail }) =>
      sql`(${session.createdAt}::timestamptz, ${session.id}::uuid, ${at}::timestamptz, ${kind}, ${storableJson(detail)}::jsonb)`,
  );
  await sql`INSERT INTO session_events (session_at, session_id, at, kind, detail) VALUES ${sql.join(rows)}`.execute(
    trx,
  );
}

export async function updateScene(trx: Trx, sessionId: string, scene: Scene): Promise<void> {
  await sql`UPDATE visits SET scene = ${storableJson(scene)}::jsonb WHERE session_id = ${sessionId}`.execute(
    trx,
  );
}

/** The same in one statement, for a process that runs the session. False when it does not, or when the session is over. */
export async function updateCarriedScene(
  db: Db,
  { id, epoch }: { id: string; epoch: number },
  scene: Scene,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE visits AS v SET scene = ${storableJson(scene)}::jsonb
    FROM sessions AS s
    WHERE v.session_id = ${id} AND v.epoch = ${epoch} AND s.id = v.session_id AND s.ended_at IS NULL`.execute(
    db,
  );
  return numAffectedRows > 0n;
}

/** jsonb cannot store NUL or lone surrogates either. */
function storableJson(detail: object): string {
  return JSON.stringify(detail, (_key, value: unknown) =>
    typeof value === "string" ? storable(value) : value,
  );
}

export async function selectUsage(db: Db, sessionId: string): Promise<LiveUsage[]> {
  const { rows } = await sql<LiveUsage>`
    SELECT model, requests, input_tokens::double precision AS "inputTokens",
      output_tokens::double precision AS "outputTokens", cost_micros::double precision AS "costMicros"
    FROM session_usage WHERE session_id = ${sessionId}`.execute(db);
  return rows;
}

/** Adds what is new in the totals to the cost of the session. */
export async function updateUsage(
  trx: Trx,
  session: { id: string },
  totals: LiveUsage[],
): Promise<void> {
  let micros = 0;
  for (const total of totals) {
    const { rows } = await sql<{ more: number }>`
      WITH before AS (SELECT cost_micros FROM session_usage WHERE session_id = ${session.id} AND model = ${total.model})
      INSERT INTO session_usage (session_id, model, requests, input_tokens, output_tokens, cost_micros)
      VALUES (${session.id}, ${total.model}, ${total.requests}, ${total.inputTokens}, ${total.outputTokens}, ${total.costMicros})
      ON CONFLICT (session_id, model) DO UPDATE SET requests = excluded.requests, input_tokens = excluded.input_tokens,
        output_tokens = excluded.output_tokens, cost_micros = excluded.cost_micros
      RETURNING (cost_micros - coalesce((SELECT cost_micros FROM before), 0))::double precision AS more`.execute(
      trx,
    );
    micros += rows[0]!.more;
  }
  await addCost(trx, session.id, micros);
}

/** Adds to the cost of a session and, unless it is a test, of its agent's day. */
export async function addCost(trx: Trx, sessionId: string, micros: number): Promise<void> {
  if (micros === 0) return;
  await sql`
    WITH session AS (
      UPDATE sessions SET cost_micros = cost_micros + ${micros}::bigint WHERE id = ${sessionId} RETURNING agent_id, test
    )
    INSERT INTO agent_days (agent_id, day, cost_micros)
    SELECT agent_id, (clock_timestamp() AT TIME ZONE 'UTC')::date, ${micros}::bigint FROM session WHERE NOT test
    ON CONFLICT (agent_id, day) DO UPDATE SET cost_micros = agent_days.cost_micros + excluded.cost_micros`.execute(
    trx,
  );
}

/** What a live session asks of its agent's day. */
export interface DayShare {
  /** What it wants to have reserved: for its next requests and for its evaluation. */
  wantMicros: number;
  /** The limit of the day. */
  dayMicros: number;
}

/** The reservation of a live session, and the most that it may cost with it. */
export interface Reservation {
  reservedMicros: number;
  mostMicros: number;
}

const TODAY = sql`(clock_timestamp() AT TIME ZONE 'UTC')::date`;

/** Reserves what the day has room for. Undefined when the session has ended: what it has reserved stays until it is settled. */
export async function reserveCost(
  trx: Trx,
  sessionId: string,
  { wantMicros, dayMicros }: DayShare,
): Promise<Reservation | undefined> {
  // Locks the day: whoever reserves at the same time waits, and then sees this reservation.
  await sql`
    INSERT INTO agent_days (agent_id, day) SELECT agent_id, ${TODAY} FROM sessions WHERE id = ${sessionId}
    ON CONFLICT (agent_id, day) DO UPDATE SET cost_micros = agent_days.cost_micros`.execute(trx);
  const { rows } = await sql<Reservation>`
    UPDATE sessions AS s SET reserved_micros = least(${Math.ceil(wantMicros)}::bigint, greatest(0, ${Math.floor(dayMicros)}::bigint
      - CASE WHEN s.test
          THEN (SELECT coalesce(sum(t.cost_micros), 0) FROM sessions AS t WHERE t.account_id = s.account_id AND t.agent_id = s.agent_id
            AND t.test AND t.created_at >= ${TODAY}::timestamp AT TIME ZONE 'UTC')
          ELSE (SELECT cost_micros FROM agent_days AS d WHERE d.agent_id = s.agent_id AND d.day = ${TODAY}) END
      - (SELECT coalesce(sum(o.reserved_micros), 0) FROM sessions AS o
          WHERE o.agent_id = s.agent_id AND o.reserved_micros > 0 AND o.test = s.test AND o.id <> s.id)))
    WHERE s.id = ${sessionId} AND s.ended_at IS NULL
    RETURNING s.reserved_micros::double precision AS "reservedMicros",
      (s.reserved_micros + s.cost_micros)::double precision AS "mostMicros"`.execute(trx);
  return rows[0];
}
