import { setTimeout as delay } from "node:timers/promises";
import {
  addCustomer,
  captureLog,
  end,
  evaluationRows,
  exportRow,
  jobSenderOf,
  say,
  sessionRow,
  start,
  startRehearsedModels,
  verifyEmail,
} from "#testing";
import type { Customer, PlayedTurn, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { armFailpoints, bind, ClaimLost, startJobRunner, transact } from "#platform";
import type { Claim } from "#platform";
import { NO_USAGE } from "#models";
import type { LanguageModel } from "#models";
import { sessionEnded, sweepDeadlines } from "#sessions";
import type { StartedSession } from "#sessions";
import { describe, expect, onTestFinished, vi } from "vitest";
import { Evaluator } from "./evaluator.ts";
import type { EvaluatedSession, EvaluatorOptions } from "./evaluator.ts";
import { evaluate } from "./jobs.ts";
import {
  evaluationBacklog,
  isModelAwayDue,
  requestEvaluation,
  retryModelAway,
} from "./request-evaluation.ts";

const TURNS: PlayedTurn[] = [
  { role: "assistant", content: "Hello. How many people are in your team?" },
  { role: "user", content: "We are twelve people in sales." },
];

/** An agent that asks one question, and everything that evaluates its sessions. */
async function evaluating(database: TestDatabase, options: Partial<EvaluatorOptions> = {}) {
  const { db } = database;
  const { rehearsal, models } = await startRehearsedModels();
  onTestFinished(() => rehearsal.close());
  const customer = await addCustomer(db, {
    agent: {
      questions: [{ key: "team_size", text: "How many people are in your team?" }],
      qualification: { qualified: "A team of ten or more." },
    },
  });
  const evaluated: EvaluatedSession[] = [];
  const outcomes: string[] = [];
  const jobs = jobSenderOf(db);
  const { log } = captureLog();
  const evaluator = new Evaluator({
    db,
    jobs,
    log,
    models,
    withinSecs: 300,
    onEvaluated: [async (_, event) => void evaluated.push(event)],
    onFinished: (outcome) => outcomes.push(outcome),
    ...options,
  });
  const run = evaluator.run.bind(evaluator);
  const giveUp = evaluator.giveUp.bind(evaluator);
  return {
    customer,
    rehearsal,
    evaluator,
    evaluated,
    outcomes,
    jobs,
    work: async () => {
      const bindings = [sessionEnded, evaluate].map((job) => bind({ job, slots: 2, run, giveUp }));
      const runner = await startJobRunner({ pool: database.pool, log, bindings });
      onTestFinished(() => runner.stop());
    },
  };
}

async function talk(
  { db }: TestDatabase,
  customer: Customer,
  options: {
    test?: boolean;
    metadata?: Record<string, unknown>;
    turns?: PlayedTurn[];
    evaluateWithinSecs?: number;
  } = {},
): Promise<StartedSession> {
  const session = await start(db, customer, options);
  await say(db, session, options.turns ?? TURNS);
  const { evaluateWithinSecs } = options;
  await end(db, session, evaluateWithinSecs === undefined ? {} : { evaluateWithinSecs });
  return session;
}

const isSettled = (database: TestDatabase, { id }: StartedSession, status: string): Promise<void> =>
  vi.waitFor(async () => expect(await sessionRow(database, id)).toMatchObject({ status }), 15_000);

/** A run of a job as a worker gives it, outside of any worker. */
function claimOf(session: StartedSession, complete = async () => {}): Claim<{ sessionId: string }> {
  const { signal } = new AbortController();
  return { payload: { sessionId: session.id }, crashes: 0, signal, complete };
}

describe("an ended session", () => {
  databaseTest("gets its evaluation, its export row and one event", async ({ database }) => {
    const { customer, evaluated, outcomes, work } = await evaluating(database);
    const session = await talk(database, customer);
    await work();
    await isSettled(database, session, "processed");

    const [row, ...more] = await evaluationRows(database, session.id);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ version: 1, state: "written", model: "first", failure: null });
    expect(row!["prompt_hash"]).toHaveLength(32);
    expect(row!["input_tokens"]).toBeGreaterThan(0);
    const days = await database.pool.query("SELECT cost_micros FROM agent_days");
    expect(days.rows).toEqual([{ cost_micros: row!["cost_micros"] }]);
    expect(Number(row!["cost_micros"])).toBe(
      Number(row!["input_tokens"]) + 2 * Number(row!["output_tokens"]),
    );
    const exported = await exportRow(database, session.id);
    expect(JSON.parse(String(exported!["evaluation"]))).toEqual(row!["evaluation"]);
    expect(exported).toMatchObject({ status: "processed", summary: row!["summary"] });
    expect(evaluated).toEqual([
      { session: exported, version: 1, evaluatedAt: row!["finished_at"] },
    ]);
    expect(outcomes).toEqual(["written"]);
  });

  // K5
  databaseTest("is evaluated again when the answer was not stored", async ({ database }) => {
    const { customer, evaluated, rehearsal, work } = await evaluating(database);
    const session = await talk(database, customer);
    armFailpoints("evaluate:answered=err");
    onTestFinished(() => armFailpoints(""));
    await work();
    const judged = (): number =>
      rehearsal.requests().recent.filter(({ kind }) => kind === "evaluation").length;
    // A second time it is judged only because the first answer was lost.
    await vi.waitFor(() => expect(judged()).toBeGreaterThan(1), 30_000);
    expect(await evaluationRows(database, session.id)).toEqual([]);
    armFailpoints("");
    await isSettled(database, session, "processed");
    expect(await evaluationRows(database, session.id)).toHaveLength(1);
    expect(evaluated).toHaveLength(1);
  });

  // K6
  databaseTest("has no evaluation when what joins it fails", async ({ database }) => {
    let tries = 0;
    const seen: unknown[] = [];
    const { customer, work } = await evaluating(database, {
      onEvaluated: [
        async (_, { session: { id } }) => {
          tries += 1;
          if (tries > 1) return;
          seen.push(await sessionRow(database, id), await evaluationRows(database, id));
          throw new Error("no outbox today");
        },
      ],
    });
    const session = await talk(database, customer);
    await work();
    await isSettled(database, session, "processed");
    expect(tries).toBe(2);
    // Others see nothing of it until all of it is there.
    expect(seen).toMatchObject([{ status: "active", settled_at: null }, []]);
    expect(await evaluationRows(database, session.id)).toHaveLength(1);
  });

  // K15
  databaseTest("is left alone by a run that has lost its job", async ({ database }) => {
    const { customer, evaluator, evaluated } = await evaluating(database);
    const session = await talk(database, customer);
    const lost = claimOf(session, async () => {
      throw new ClaimLost();
    });
    await expect(evaluator.run(lost)).rejects.toBeInstanceOf(ClaimLost);
    await expect(evaluator.giveUp(lost)).rejects.toBeInstanceOf(ClaimLost);
    expect(await evaluationRows(database, session.id)).toEqual([]);
    expect(await sessionRow(database, session.id)).toMatchObject({ status: "active" });
    expect(evaluated).toEqual([]);
  });

  databaseTest("is written once, however many runs come to its end", async ({ database }) => {
    const { customer, evaluator, evaluated } = await evaluating(database);
    const session = await talk(database, customer);
    await Promise.all([1, 2, 3, 4].map(() => evaluator.run(claimOf(session))));
    await evaluator.run(claimOf(session));
    expect(await evaluationRows(database, session.id)).toHaveLength(1);
    expect(evaluated).toHaveLength(1);
  });

  databaseTest("that is a test is evaluated, and nobody is told", async ({ database }) => {
    const { customer, evaluated, work } = await evaluating(database);
    const session = await talk(database, customer, { test: true });
    await work();
    await isSettled(database, session, "processed");
    const [row] = await evaluationRows(database, session.id);
    expect(row).toMatchObject({ state: "written", summary: expect.stringContaining("twelve") });
    expect(await exportRow(database, session.id)).toBeUndefined();
    expect(evaluated).toEqual([]);
  });

  databaseTest("that has been erased leaves nothing to do", async ({ database }) => {
    const { customer, evaluator } = await evaluating(database);
    const session = await talk(database, customer);
    await database.pool.query("DELETE FROM sessions WHERE id = $1", [session.id]);
    const complete = vi.fn<() => Promise<void>>(async () => {});
    await evaluator.run(claimOf(session, complete));
    await evaluator.giveUp(claimOf(session, complete));
    expect(complete).toHaveBeenCalledTimes(2);
  });

  databaseTest("says so when we crashed over it five times", async ({ database }) => {
    const { customer, evaluator, evaluated } = await evaluating(database);
    const session = await talk(database, customer);
    await evaluator.giveUp(claimOf(session));
    expect(await sessionRow(database, session.id)).toMatchObject({
      status: "error",
      error_reason: "crashed",
    });
    expect(await evaluationRows(database, session.id)).toMatchObject([
      { version: 1, state: "failed", failure: "crashed", evaluation: null },
    ]);
    expect(evaluated).toEqual([]);
  });
});

describe("a session whose address is being checked", () => {
  const ADDRESS = "ada@example.com";
  const metadata = { email: ADDRESS };
  const sinceItsEndMs = async (database: TestDatabase, { id }: StartedSession): Promise<number> => {
    const { settled_at: settledAt, ended_at: endedAt } = await sessionRow(database, id);
    return Number(settledAt) - Number(endedAt);
  };

  databaseTest("waits for the answer, and its event tells it", async ({ database }) => {
    const { customer, evaluated, work } = await evaluating(database);
    const session = await talk(database, customer, { metadata });
    await work();
    await delay(2_500);
    expect(await sessionRow(database, session.id)).toMatchObject({ status: "active" });
    await verifyEmail(database.db, session, ADDRESS, true);
    await isSettled(database, session, "processed");
    expect(evaluated).toMatchObject([{ session: { email: ADDRESS, email_verified: true } }]);
    expect(await sinceItsEndMs(database, session)).toBeLessThan(8_000);
  });

  databaseTest("waits for fifteen seconds at most", async ({ database }) => {
    const { customer, evaluated, work } = await evaluating(database);
    const session = await talk(database, customer, { metadata });
    await database.pool.query("UPDATE sessions SET ended_at = ended_at - interval '12 seconds'");
    await work();
    await isSettled(database, session, "processed");
    expect(await sinceItsEndMs(database, session)).toBeGreaterThanOrEqual(15_000);
    expect(evaluated).toMatchObject([{ session: { email: ADDRESS, email_verified: null } }]);
  });

  databaseTest("does not wait past its own deadline", async ({ database }) => {
    const { customer, work } = await evaluating(database);
    const session = await talk(database, customer, { metadata, evaluateWithinSecs: 7 });
    await work();
    await isSettled(database, session, "processed");
    expect(await sinceItsEndMs(database, session)).toBeLessThan(7_000);
  });

  databaseTest("keeps nobody else waiting", async ({ database }) => {
    const { customer, work } = await evaluating(database);
    const waiting = await Promise.all(
      [1, 2, 3, 4].map(() => talk(database, customer, { metadata })),
    );
    await work();
    const other = await talk(database, customer);
    await isSettled(database, other, "processed");
    for (const { id } of waiting) {
      expect(await sessionRow(database, id)).toMatchObject({ status: "active" });
    }
  });

  databaseTest("waits for nothing when it was imported: nobody asks", async ({ database }) => {
    const { customer, evaluator } = await evaluating(database);
    const session = await talk(database, customer, { metadata });
    await database.pool.query("UPDATE sessions SET end_reason = 'imported'");
    await evaluator.run(claimOf(session));
    expect(await sessionRow(database, session.id)).toMatchObject({ status: "processed" });
  });

  databaseTest("uses up no try and leaves one job", async ({ database }) => {
    const { customer, evaluator } = await evaluating(database);
    const session = await talk(database, customer, { metadata });
    await database.pool.query("DELETE FROM pgboss.job");
    const complete = vi.fn<() => Promise<void>>(async () => {});
    await evaluator.run(claimOf(session, complete));
    expect(complete).toHaveBeenCalledOnce();
    const { rows } = await database.pool.query(
      "SELECT name, retry_count, data FROM pgboss.job WHERE name NOT LIKE '%check%'",
    );
    expect(rows).toEqual([
      { name: "session-ended", retry_count: 0, data: { sessionId: session.id } },
    ]);
    expect(await evaluationRows(database, session.id)).toEqual([]);
  });

  databaseTest("and lost its job puts nothing off", async ({ database }) => {
    const { customer, evaluator } = await evaluating(database);
    const session = await talk(database, customer, { metadata });
    await database.pool.query("DELETE FROM pgboss.job");
    const lost = claimOf(session, async () => {
      throw new ClaimLost();
    });
    await expect(evaluator.run(lost)).rejects.toBeInstanceOf(ClaimLost);
    expect((await database.pool.query("SELECT FROM pgboss.job")).rows).toEqual([]);
  });
});

describe("a model in trouble", () => {
  // L2
  databaseTest("that is away for a moment delays the evaluation", async ({ database }) => {
    const { customer, rehearsal, evaluated, outcomes, work } = await evaluating(database);
    await rehearsal.setFaults([{ kind: "error_503" }]);
    const session = await talk(database, customer);
    await work();
    await vi.waitFor(() => expect(outcomes).toEqual(["postponed"]), 5_000);
    expect(await evaluationRows(database, session.id)).toMatchObject([
      { version: 1, state: "pending", times_away: 1 },
    ]);
    expect(await sessionRow(database, session.id)).toMatchObject({ status: "active" });
    expect(await evaluationBacklog(database.db)).toMatchObject({ waiting: 1, modelAway: 1 });
    await rehearsal.setFaults([]);
    await isSettled(database, session, "processed");
    expect(await evaluationRows(database, session.id)).toMatchObject([
      { version: 1, state: "written" },
    ]);
    expect(await evaluationBacklog(database.db)).toMatchObject({ modelAway: 0 });
    expect(evaluated).toHaveLength(1);
  });

  // L1 L2
  databaseTest("that stays away settles the session, and heals it later", async ({ database }) => {
    const { customer, rehearsal, evaluated, jobs, work } = await evaluating(database, {
      withinSecs: 6,
    });
    await rehearsal.setFaults([{ kind: "rate_limit" }]);
    const session = await talk(database, customer, { evaluateWithinSecs: 6 });
    await work();
    await isSettled(database, session, "error");
    const settled = await sessionRow(database, session.id);
    expect(settled).toMatchObject({ error_reason: "model_away" });
    expect(await exportRow(database, session.id)).toMatchObject({ status: "error" });
    expect(evaluated).toEqual([]);

    await rehearsal.setFaults([]);
    await vi.waitFor(async () => expect(await retryModelAway(database.db, jobs, 10)).toBe(1), {
      timeout: 5_000,
      interval: 100,
    });
    expect(await retryModelAway(database.db, jobs, 10)).toBe(0);
    await isSettled(database, session, "processed");
    expect(await sessionRow(database, session.id)).toMatchObject({
      settled_at: settled["settled_at"],
      error_reason: null,
    });
    expect(await evaluationRows(database, session.id)).toMatchObject([
      { version: 1, state: "written" },
    ]);
    expect(await exportRow(database, session.id)).toMatchObject({ status: "processed" });
    expect(evaluated).toHaveLength(1);
  });

  // L13
  databaseTest("is asked ever more rarely, and at last no more", async ({ database }) => {
    const { customer, rehearsal, evaluator, jobs } = await evaluating(database);
    await rehearsal.setFaults([{ kind: "error_503" }]);
    const session = await talk(database, customer, { evaluateWithinSecs: 0 });
    const retryAfter = async (secs: number): Promise<number> => {
      const earlier = "finished_at = finished_at - make_interval(secs => $1)";
      await database.pool.query(`UPDATE evaluations SET ${earlier}`, [secs]);
      return retryModelAway(database.db, jobs, 10);
    };
    const isAskedAfter = async (pauseSecs: number): Promise<void> => {
      await evaluator.run(claimOf(session));
      // The clock goes on while these three are asked; a busy machine takes over a second for them.
      const earlySecs = Math.min(pauseSecs / 2, 3);
      expect(await retryAfter(pauseSecs - earlySecs)).toBe(0);
      expect(await isModelAwayDue(database.db)).toBe(false);
      expect(await retryAfter(earlySecs)).toBe(1);
    };
    for (const secs of [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) await isAskedAfter(secs);
    // Every five minutes for a week.
    await database.pool.query("UPDATE evaluations SET times_away = 2000");
    await isAskedAfter(300);
    await evaluator.run(claimOf(session));
    await database.pool.query("UPDATE evaluations SET finished_at = now() - interval '1 hour'");
    expect(await isModelAwayDue(database.db)).toBe(true);
    // A minute over the week: a clock that is set back meanwhile would make exactly a week too little.
    const weekAgo = "requested_at = now() - interval '7 days 1 minute'";
    await database.pool.query(`UPDATE evaluations SET ${weekAgo}`);
    expect(await isModelAwayDue(database.db)).toBe(false);
    expect(await retryAfter(300)).toBe(0);
    expect(await evaluationRows(database, session.id)).toMatchObject([
      { version: 1, state: "failed", failure: "model_away" },
    ]);
  });

  // L2 L7
  databaseTest("is stood in for by the fallback", async ({ database }) => {
    const { customer, rehearsal, work } = await evaluating(database);
    await rehearsal.setFaults([{ kind: "refusal", model: "first" }]);
    const session = await talk(database, customer);
    await work();
    await isSettled(database, session, "processed");
    expect(await evaluationRows(database, session.id)).toMatchObject([{ model: "fallback" }]);
  });

  // L4 L7
  databaseTest("that never makes sense settles the session as an error", async ({ database }) => {
    for (const [kind, failure] of [
      ["prose", "model_output"],
      ["refusal", "model_refused"],
    ] as const) {
      const { customer, rehearsal, evaluator, evaluated } = await evaluating(database);
      await rehearsal.setFaults([{ kind }]);
      const session = await talk(database, customer);
      await evaluator.run(claimOf(session));
      expect(await sessionRow(database, session.id)).toMatchObject({
        status: "error",
        error_reason: failure,
      });
      const [row] = await evaluationRows(database, session.id);
      expect(row).toMatchObject({ state: "failed", failure });
      // What it cost is known all the same.
      expect(row!["input_tokens"]).toBeGreaterThan(0);
      expect(evaluated).toEqual([]);
    }
  });

  // L13
  databaseTest("over one session does not hold up the others", async ({ database }) => {
    const { rehearsal, models } = await startRehearsedModels();
    onTestFinished(() => rehearsal.close());
    let poisoned = 0;
    const wary: LanguageModel = {
      ...models.first,
      ask: async (request) => {
        if (!request.messages[1]!.content.includes("poison")) return models.first.ask(request);
        poisoned += 1;
        return { text: "I would rather not say.", usage: NO_USAGE };
      },
    };
    const { customer, work } = await evaluating(database, {
      models: { first: wary, fallback: wary },
    });
    const bad = await talk(database, customer, {
      turns: [{ role: "user", content: "I sell poison to snakes." }],
    });
    const good = await Promise.all([1, 2, 3, 4, 5].map(() => talk(database, customer)));
    await work();
    for (const session of good) await isSettled(database, session, "processed");
    await isSettled(database, bad, "error");
    // The request, two repairs, the fallback.
    expect(poisoned).toBe(4);
  });
});

describe("a re-evaluation", () => {
  const ask = ({ db }: TestDatabase, { id }: StartedSession): Promise<"requested" | "joined"> =>
    transact(db, (trx) => requestEvaluation(trx, jobSenderOf(db), id));

  /** The session without its cost, which each evaluation adds to. */
  const recordRow = async (database: TestDatabase, { id }: StartedSession) => {
    const { cost_micros: _, ...record } = await sessionRow(database, id);
    return record;
  };

  /** Everything that evaluates, and a session that it has evaluated. */
  const evaluatedOnce = async (database: TestDatabase) => {
    const everything = await evaluating(database);
    const session = await talk(database, everything.customer);
    await everything.work();
    await isSettled(database, session, "processed");
    return { ...everything, session };
  };

  databaseTest("keeps the session's id and time, and tells it anew", async ({ database }) => {
    const { session, evaluated } = await evaluatedOnce(database);
    const before = await recordRow(database, session);
    const exported = await exportRow(database, session.id);
    await database.pool.query("UPDATE session_exports SET evaluation = NULL, summary = NULL");
    expect(await ask(database, session)).toBe("requested");
    await vi.waitFor(() => expect(evaluated).toHaveLength(2), 5_000);
    expect(await recordRow(database, session)).toEqual(before);
    expect(await exportRow(database, session.id)).toEqual(exported);
    expect(evaluated.map(({ version }) => version)).toEqual([1, 2]);
    expect(await evaluationRows(database, session.id)).toMatchObject([
      { version: 1, state: "written" },
      { version: 2, state: "written" },
    ]);
  });

  // L7
  databaseTest("that fails leaves the session as it was", async ({ database }) => {
    const { session, rehearsal, evaluated, outcomes } = await evaluatedOnce(database);
    const before = [await recordRow(database, session), await exportRow(database, session.id)];
    await rehearsal.setFaults([{ kind: "refusal" }]);
    await ask(database, session);
    await vi.waitFor(() => expect(outcomes).toEqual(["written", "model_refused"]), 5_000);
    expect([await recordRow(database, session), await exportRow(database, session.id)]).toEqual(
      before,
    );
    expect(await evaluationRows(database, session.id)).toMatchObject([
      { version: 1, state: "written" },
      { version: 2, state: "failed", failure: "model_refused" },
    ]);
    expect(evaluated).toHaveLength(1);
  });

  databaseTest("is one, however many ask for it", async ({ database }) => {
    const { session, evaluated, rehearsal } = await evaluatedOnce(database);
    rehearsal.setDelay(300);
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(database, session)));
    expect(answers.toSorted()).toEqual(["joined", "joined", "joined", "requested"]);
    await vi.waitFor(() => expect(evaluated).toHaveLength(2), 5_000);
    expect(await evaluationRows(database, session.id)).toHaveLength(2);
  });

  databaseTest("joins the first evaluation while that is due", async ({ database }) => {
    const { customer } = await evaluating(database);
    const session = await talk(database, customer);
    expect(await ask(database, session)).toBe("joined");
    expect(await evaluationRows(database, session.id)).toEqual([]);
  });

  databaseTest("needs a visitor's word and the end of the talk", async ({ database }) => {
    const { customer } = await evaluating(database);
    const silent = await talk(database, customer, { turns: [TURNS[0]!] });
    const talking = await start(database.db, customer);
    for (const session of [silent, talking, { ...talking, id: crypto.randomUUID() }]) {
      await expect(ask(database, session)).rejects.toMatchObject({ code: "conflict" });
    }
  });

  databaseTest("is what an evaluation becomes that comes too late", async ({ database }) => {
    const { customer, evaluated, jobs, work } = await evaluating(database);
    const session = await talk(database, customer, { evaluateWithinSecs: 0 });
    await sweepDeadlines(database.db, jobs, {
      limit: 10,
      evaluateWithinSecs: 300,
      onError: (_, error) => expect.fail(String(error)),
    });
    const settled = await sessionRow(database, session.id);
    expect(settled).toMatchObject({ status: "error", error_reason: "overdue" });
    await work();
    await isSettled(database, session, "processed");
    expect(await sessionRow(database, session.id)).toMatchObject({
      settled_at: settled["settled_at"],
    });
    expect(evaluated).toHaveLength(1);
  });
});
