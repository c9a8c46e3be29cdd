import type { Evaluation } from "@svc/contract/types";
import type pg from "pg";
import { QUESTIONS } from "./generate-sessions.ts";
import type { MadeDelivery, MadeSession, MadeView } from "./generate-sessions.ts";

/** Writes what was generated as the product would have, row by row and without its code. */
export async function storeSessions(
  pool: pg.Pool,
  sessions: MadeSession[],
  accountIds: number[],
): Promise<void> {
  const finished = sessions.filter(({ status }) => status !== "active");
  const real = finished.filter(({ test }) => !test);
  await fill(
    pool,
    "sessions",
    sessions.map((one) => sessionRow(one, accountIds)),
  );
  await fill(
    pool,
    "session_exports",
    real.map((one) => exportRow(one, accountIds)),
  );
  await fill(pool, "evaluations", sessions.flatMap(evaluationRows));
  await fill(pool, "session_usage", sessions.flatMap(usageRows));
  await fill(pool, "session_events", sessions.flatMap(eventRows));
  await fill(pool, "turns", sessions.flatMap(turnRows));
  await fill(
    pool,
    "webhook_events",
    sessions
      .filter(({ deliveries }) => deliveries.length > 0)
      .map(({ id, at, verdicts }) => ({
        id,
        session_id: id,
        version: verdicts.length,
        at,
        body: "\\x7b7d",
      })),
  );
  const sent = sessions.flatMap((session) =>
    session.deliveries.map((delivery) => ({ session, delivery })),
  );
  await fill(
    pool,
    "deliveries",
    sent.map(({ session, delivery }) => deliveryRow(session, delivery)),
  );
  await fill(
    pool,
    "delivery_attempts",
    sent.flatMap(({ delivery }) =>
      delivery.attempts.map(({ outcome, status = null, tookMs }, index) => ({
        delivery_id: delivery.id,
        attempt: index + 1,
        started_at: delivery.at,
        took_ms: tookMs,
        outcome,
        status,
      })),
    ),
  );
}

export async function storeViews(pool: pg.Pool, views: MadeView[]): Promise<void> {
  const key = ({ agent, day, event }: MadeView): string => `${agent.id} ${day} ${event}`;
  const summed = (rows: { value: string; view: MadeView }[]): [string, MadeView, number][] =>
    Array.from(
      Map.groupBy(rows, ({ value, view }) => `${value} ${key(view)}`).values(),
      (ones): [string, MadeView, number] => [
        ones[0]!.value,
        ones[0]!.view,
        ones.reduce((sum, { view }) => sum + view.count, 0),
      ],
    );
  await fill(
    pool,
    "funnel_counts",
    summed(views.map((view) => ({ value: "https://www.example.com", view }))).map(
      ([origin, { agent, day, event }, count]) => ({
        agent_id: agent.id,
        day,
        event,
        origin,
        count,
      }),
    ),
  );
  for (const dimension of ["page", "language", "entry", "device", "version"] as const) {
    const known = views.flatMap((view) =>
      view[dimension] === undefined ? [] : [{ value: String(view[dimension]), view }],
    );
    await fill(
      pool,
      "funnel_steps",
      summed(known).map(([value, { agent, day, event }, count]) => ({
        agent_id: agent.id,
        day,
        event,
        dimension,
        value,
        count,
      })),
    );
  }
}

const AT_ONCE = 2_000;

/** Every row has the columns of the first. */
async function fill(pool: pg.Pool, table: string, rows: object[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(", ");
  for (let done = 0; done < rows.length; done += AT_ONCE) {
    await pool.query(
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [JSON.stringify(rows.slice(done, done + AT_ONCE))],
    );
  }
}

function sessionRow(session: MadeSession, accountIds: number[]): object {
  const { at, status, waiting, durationSecs = 0 } = session;
  const isEnded = status !== "active" || waiting?.waitsFor === "evaluation";
  const endedAt = new Date(at.getTime() + durationSecs * 1_000);
  return {
    id: session.id,
    account_id: accountIds[session.agent.account],
    agent_id: session.agent.id,
    agent_version: session.version,
    test: session.test,
    status,
    created_at: at,
    connect_by: waiting?.waitsFor === "visitor" ? waiting.until : at,
    connected_at: waiting?.waitsFor === "visitor" ? null : at,
    converse_by: waiting?.waitsFor === "conversation" ? waiting.until : null,
    evaluate_by: waiting?.waitsFor === "evaluation" ? waiting.until : null,
    ended_at: isEnded ? endedAt : null,
    end_reason: isEnded ? (session.imported ? "imported" : "visitor_ended") : null,
    settled_at: status === "active" ? null : endedAt,
    duration_secs: session.durationSecs ?? null,
    metadata: {},
    email: session.email ?? null,
    language: session.language,
    mode: session.mode,
    page: session.page?.url ?? null,
    entry: session.entry ?? null,
    device: session.device ?? null,
    cost_micros: session.costMicros,
    reserved_micros: 0,
  };
}

function exportRow(session: MadeSession, accountIds: number[]): object {
  const verdict = session.verdicts.at(-1);
  return {
    account_id: accountIds[session.agent.account],
    created_at: session.at,
    id: session.id,
    agent_id: session.agent.id,
    status: session.status,
    transcript: JSON.stringify(session.turns),
    evaluation: verdict === undefined ? null : JSON.stringify(evaluationOf(session, verdict)),
    email: session.email ?? null,
    duration_secs: session.durationSecs,
  };
}

export function evaluationOf(
  { language, name, answers, insights, turns }: MadeSession,
  status: MadeSession["verdicts"][number],
): Evaluation {
  return {
    language,
    ...(name !== undefined && { customer_name: name }),
    qualification: { status, reasoning: `It is ${status}.` },
    questions: Object.fromEntries(
      QUESTIONS.map((key) => {
        const answer = answers[key];
        const outcome = { was_asked: true, was_answered: answer !== undefined };
        return [key, answer === undefined ? outcome : { ...outcome, answer }];
      }),
    ),
    insights: Object.fromEntries(
      Object.entries(insights).map(([key, value]) => [
        key,
        { value, evidence: turns[0]?.content ?? "" },
      ]),
    ),
  };
}

function evaluationRows(session: MadeSession): object[] {
  const { id, at, imported, status, verdicts, judgedMicros } = session;
  const row = { session_id: id, requested_at: at, finished_at: at, model: "made-up" };
  const empty = { input_tokens: 0, output_tokens: 0, cost_micros: 0 };
  if (status === "error") {
    return [
      { ...row, ...empty, version: 1, state: "failed", evaluation: null, failure: "refused" },
    ];
  }
  return (imported ? [] : verdicts).map((verdict, index) => ({
    ...row,
    // The last one cost all, so that the sum is the session's.
    ...(index === verdicts.length - 1
      ? { input_tokens: 900, output_tokens: 90, cost_micros: judgedMicros }
      : empty),
    version: index + 1,
    state: "written",
    evaluation: evaluationOf(session, verdict),
    failure: null,
  }));
}

function usageRows({ id, turns, mode, costMicros, unpriced }: MadeSession): object[] {
  if (turns.length === 0) return [];
  const row = { session_id: id, requests: turns.length, input_tokens: 500, output_tokens: 50 };
  const model = { ...row, model: "made-up", cost_micros: unpriced ? 0 : costMicros };
  const speech = { ...row, model: "speech", input_tokens: 0, output_tokens: 0, cost_micros: 1 };
  return mode === "voice" ? [model, speech].map(withSeconds) : [withSeconds(model)];
}

const withSeconds = (row: object): object => ({ ...row, seconds: 0 });

function eventRows(session: MadeSession): object[] {
  const { id, at, microphone, answersMs, cutsMs } = session;
  const events = [
    ...(microphone ? [{ kind: "microphone", detail: {} }] : []),
    ...answersMs.map((ms) => ({ kind: "reply", detail: { answer_ms: ms } })),
    ...cutsMs.map((ms) => ({ kind: "reply", detail: { silent_ms: ms, cut: true } })),
  ];
  const row = { session_at: at, session_id: id };
  // The reply to the second turn, which is the visitor's first.
  const repliedAt = new Date(at.getTime() + 1_000);
  return [
    ...events.map((event) => ({ ...row, at, ...event })),
    ...noteOf(session).map((event) => ({ ...row, at: repliedAt, ...event })),
  ];
}

/** A reply of which the model noted that it does not know. */
export function noteOf({ noted }: MadeSession): { kind: string; detail: object }[] {
  if (noted === undefined) return [];
  const note = { name: "unknown", value: "what was asked", done: noted === "kept" };
  return [
    { kind: "state", detail: { language: "en" } },
    { kind: "direction", detail: note },
  ];
}

function turnRows({ id, at, turns, hasTimes }: MadeSession): object[] {
  if (!hasTimes) return [];
  return turns.map((turn, index) => ({
    session_at: at,
    session_id: id,
    item_id: `item_${index}`,
    ...turn,
    interrupted: false,
    at: new Date(at.getTime() + index * 1_000),
  }));
}

function deliveryRow(session: MadeSession, delivery: MadeDelivery): object {
  const isOpen = delivery.state === "waiting" || delivery.state === "running";
  return {
    id: delivery.id,
    endpoint_id: delivery.endpoint.id,
    event_id: session.id,
    session_id: session.id,
    state: delivery.state,
    due_at: delivery.dueAt,
    attempts: delivery.attempts.length,
    orphans: 0,
    replay_of: delivery.replayOf ?? null,
    followed: delivery.followed,
    created_at: delivery.at,
    finished_at: isOpen ? null : delivery.at,
  };
}
