import { Evaluator, requestEvaluation } from "#evaluation";
import type { OnEvaluated } from "#evaluation";
import type { LanguageModel } from "#models";
import { createLog, transact } from "#platform";
import type { Db, JobSender, Trx } from "#platform";
import {
  addTurn,
  connectVisitor,
  endSession,
  setEmailVerified,
  settleSession,
  startSession,
} from "#sessions";
import type { Settlement, StartedSession } from "#sessions";
import { enqueueEvent } from "#webhooks";
import type { Evaluation } from "@svc/contract/types";
import type { Customer } from "./customer.ts";
import { jobSenderOf } from "./platform-doubles.ts";

/** The steps of a session's life, each in a transaction of its own, as the product takes them. */
export async function start(
  db: Db,
  customer: Customer,
  options: StartOptions = {},
): Promise<StartedSession> {
  return transact(db, (trx) => startWithin(trx, jobSenderOf(db), customer, options));
}

interface StartOptions {
  test?: boolean;
  metadata?: Record<string, unknown>;
}

export interface PlayedTurn {
  role: "user" | "assistant";
  content: string;
  interrupted?: boolean;
}

/** Turns one second apart, counted from the session's start. */
export async function say(db: Db, session: StartedSession, turns: PlayedTurn[]): Promise<void> {
  await transact(db, (trx) => sayWithin(trx, session, turns));
}

async function startWithin(
  trx: Trx,
  jobs: JobSender,
  { account, agent }: Customer,
  { test = false, metadata = {} }: StartOptions,
): Promise<StartedSession> {
  return startSession(trx, jobs, { accountId: account.id, agent, test, metadata });
}

async function sayWithin(trx: Trx, session: StartedSession, turns: PlayedTurn[]): Promise<void> {
  await connectVisitor(trx, session.id, 20);
  for (const [index, turn] of turns.entries()) {
    const at = new Date(session.createdAt.getTime() + index * 1_000);
    await addTurn(trx, session, { itemId: `item-${index}`, at, interrupted: false, ...turn });
  }
}

export async function end(
  db: Db,
  session: StartedSession,
  options: { evaluateWithinSecs?: number } = {},
): Promise<"abandoned" | "evaluation_due" | "ended_before"> {
  const jobs = jobSenderOf(db);
  return transact(db, (trx) =>
    endSession(trx, jobs, session.id, { reason: "visitor_ended", ...options }),
  );
}

export async function settle(
  db: Db,
  session: StartedSession,
  settlement: Settlement,
): Promise<void> {
  await transact(db, (trx) => settleSession(trx, session.id, settlement));
}

export async function verifyEmail(
  db: Db,
  session: StartedSession,
  address: string,
  verified: boolean,
): Promise<void> {
  await transact(db, (trx) => setEmailVerified(trx, session.id, { address, verified }));
}

export const EXAMPLE_TURNS: PlayedTurn[] = [
  { role: "assistant", content: "Hello, I am an AI guide. What brings you here?" },
  { role: "user", content: "We need a demo for our sales team of twelve." },
];

export const EXAMPLE_EVALUATION: Evaluation = {
  language: "en",
  qualification: { status: "qualified", reasoning: "Twelve people in sales." },
  questions: { team_size: { was_asked: true, was_answered: true, answer: "twelve" } },
  summary: "A sales team of twelve.",
};

/** A whole session from start to settled. */
export async function playSession(
  db: Db,
  customer: Customer,
  options: StartOptions & { turns?: PlayedTurn[]; settlement?: Settlement } = {},
): Promise<StartedSession> {
  const session = await start(db, customer, options);
  await say(db, session, options.turns ?? EXAMPLE_TURNS);
  if ((await end(db, session)) === "evaluation_due") {
    await settle(
      db,
      session,
      options.settlement ?? {
        status: "processed",
        summary: "They need a demo.",
        evaluation: EXAMPLE_EVALUATION,
      },
    );
  }
  return session;
}

/**
 * A session from its start to its evaluation, which is written as in the pipeline,
 * its event included; only what the model says is given. For agents without questions, insights
 * and criteria, some fifty a second.
 */
export async function playEvaluated(
  db: Db,
  customer: Customer,
  options: StartOptions & {
    /** The result of the check of its address's domain. Without one, an evaluation waits for it. */
    emailVerified?: boolean;
  } & EvaluateOptions = {},
): Promise<StartedSession> {
  const session = await transact(db, async (trx) => {
    const started = await startWithin(trx, NO_JOBS, customer, options);
    if (options.emailVerified !== undefined) {
      const address = String(options.metadata?.["email"]);
      await setEmailVerified(trx, started.id, { address, verified: options.emailVerified });
    }
    await sayWithin(trx, started, EXAMPLE_TURNS);
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
  /** Writes that join the evaluation's transaction. By default, those of its event. */
  onEvaluated?: OnEvaluated[];
}

/** Sends no job: the steps below do what the jobs would do. */
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
    ask: async ({ name, schema }) => ({
      text: name === "claims" ? agreeTo(schema) : answer,
      usage,
    }),
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

function agreeTo({ properties }: Record<string, unknown>): string {
  const claims = Object.keys(properties ?? {});
  return JSON.stringify(Object.fromEntries(claims.map((claim) => [claim, "yes"])));
}
