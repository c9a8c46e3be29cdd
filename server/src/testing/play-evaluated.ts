import { Evaluator, requestEvaluation } from "#evaluation";
import type { OnEvaluated } from "#evaluation";
import type { LanguageModel } from "#models";
import { createLog, transact } from "#platform";
import type { Db, JobSender } from "#platform";
import { addTurn, connectVisitor, endSession, setEmailVerified, startSession } from "#sessions";
import type { StartedSession } from "#sessions";
import { enqueueEvent } from "#webhooks";
import type { Customer } from "./customer.ts";
import { EXAMPLE_TURNS } from "./play-session.ts";

/**
 * A session from its start to its evaluation, which the room writes as it does in the pipeline,
 * its event included; only what the model says is given. For agents without questions, insights
 * and criteria, some fifty a second.
 */
export async function playEvaluated(
  db: Db,
  customer: Customer,
  options: {
    test?: boolean;
    metadata?: Record<string, unknown>;
    /** What its address's domain has said. Without it, an evaluation waits for that. */
    emailVerified?: boolean;
  } & EvaluateOptions = {},
): Promise<StartedSession> {
  const session = await transact(db, async (trx) => {
    const started = await startSession(trx, NO_JOBS, {
      accountId: customer.account.id,
      agent: customer.agent,
      test: options.test ?? false,
      metadata: options.metadata ?? {},
    });
    if (options.emailVerified !== undefined) {
      const address = String(options.metadata?.["email"]);
      await setEmailVerified(trx, started.id, { address, verified: options.emailVerified });
    }
    await connectVisitor(trx, started.id, 20);
    for (const [index, turn] of EXAMPLE_TURNS.entries()) {
      const at = new Date(started.createdAt.getTime() + index * 1_000);
      await addTurn(trx, started, { itemId: `item-${index}`, at, interrupted: false, ...turn });
    }
    await endSession(trx, NO_JOBS, started.id, { reason: "visitor_ended" });
    return started;
  });
  await evaluate(db, session.id, options);
  return session;
}

/** Another evaluation of the same session, and another event. */
export async function evaluateAgain(
  db: Db,
  sessionId: string,
  options: EvaluateOptions = {},
): Promise<void> {
  await transact(db, (trx) => requestEvaluation(trx, NO_JOBS, sessionId));
  await evaluate(db, sessionId, options);
}

interface EvaluateOptions {
  /** The model says nothing that can be read: the session settles as an error. */
  fails?: boolean;
  /** What joins the evaluation's transaction. Its event by default. */
  onEvaluated?: OnEvaluated[];
}

/** What a job would do is done here. */
const NO_JOBS: JobSender = { send: async () => {} };

const ANSWER = JSON.stringify({
  language: "en",
  customer_name: null,
  questions: {},
  insights: {},
  prospect_questions: [],
  objections: [],
  conversation_summary: "They need a demo for a sales team.",
  summary: "A sales team that needs a demo.",
  prospect_summary: "Thank you for your time.",
});

async function evaluate(
  db: Db,
  sessionId: string,
  { fails = false, onEvaluated = [enqueueEvent] }: EvaluateOptions,
): Promise<void> {
  const answer = fails ? "I cannot say." : ANSWER;
  const usage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
  const first: LanguageModel = {
    name: "given",
    ask: async () => ({ text: answer, usage }),
    isThere: async () => true,
  };
  const evaluator = new Evaluator({
    db,
    jobs: NO_JOBS,
    log: createLog("silent"),
    models: { first, fallback: undefined },
    withinSecs: 300,
    onEvaluated,
  });
  await evaluator.run({
    payload: { sessionId },
    crashes: 0,
    signal: new AbortController().signal,
    complete: async () => {},
  });
}
