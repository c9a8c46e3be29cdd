import { ClaimLost, failpoint, transact } from "#platform";
import type { Claim, Db, JobSender, Log, Trx } from "#platform";
import { forAccount, NO_USAGE } from "#models";
import type { ModelUsage } from "#models";
import {
  addSessionCost,
  evaluationPriority,
  readEndedSession,
  sessionEnded,
  settleSession,
} from "#sessions";
import type { EndedSession, ExportedSession } from "#sessions";
import { evaluate } from "./jobs.ts";
import { JudgeError, judgeConversation } from "./judge.ts";
import type { EvaluationModels, JudgeFailure, Judgement } from "./judge.ts";
import { Rubrics } from "./rubric-of.ts";
import { finishEvaluation, postponeEvaluation, selectStanding } from "./store.ts";

/** An evaluation has been written. What joins its transaction is true if, and only if, the evaluation is. */
export interface EvaluatedSession {
  session: ExportedSession;
  version: number;
  evaluatedAt: Date;
}

export type OnEvaluated = (trx: Trx, evaluated: EvaluatedSession) => Promise<void>;

export interface EvaluatorOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  models: EvaluationModels;
  /** The deadline for a session's evaluation, which also bounds the requests to a model. */
  withinSecs: number;
  onEvaluated: OnEvaluated[];
  onFinished?: (outcome: "written" | "postponed" | EvaluationFailure, usage: ModelUsage) => void;
}

/** `crashed`: the process ended five times while it ran. */
export type EvaluationFailure = JudgeFailure | "crashed";

/** The backoff after a model could not be reached: doubled each time, up to the maximum. */
const BACKOFF_SECS = { first: 3, max: 30 };
/** The time that a run waits for the check of the address's domain: its event is sent once and must contain the result. */
const AWAIT_DOMAIN_SECS = 15;
/** The part of a run's time that is reserved for writing its outcome. */
const WRITING_MS = 5_000;

/** Runs evaluations that are due. Every run ends in one transaction: the outcome, the session and the job. */
export class Evaluator {
  readonly #options: EvaluatorOptions;
  readonly #rubrics: Rubrics;

  constructor(options: EvaluatorOptions) {
    this.#options = options;
    this.#rubrics = new Rubrics(options.db);
  }

  async run(claim: Claim<{ sessionId: string }>): Promise<void> {
    const { db } = this.#options;
    const { sessionId } = claim.payload;
    const session = await readEndedSession(db, sessionId);
    await failpoint("evaluate:claimed");
    if (session === undefined || (await this.#isAnswered(session))) {
      return transact(db, (trx) => claim.complete(trx));
    }
    const lookAfterSecs = awaitDomainFor(session);
    if (lookAfterSecs !== undefined) return this.#comeBack(claim, lookAfterSecs);
    try {
      const judgement = await this.#judge(session, claim.signal);
      await failpoint("evaluate:answered");
      await this.#write(claim, session, judgement);
      await failpoint("evaluate:written");
      this.#tell("written", judgement.usage);
    } catch (error) {
      // Another process has the job now and will write its outcome.
      if (claim.signal.aborted) throw new ClaimLost();
      if (!(error instanceof JudgeError)) throw error;
      await this.#failed(claim, session, error);
    }
  }

  /** An unsettled session has no evaluation, or it would be settled. */
  async #isAnswered({ id, settledAt }: EndedSession): Promise<boolean> {
    if (settledAt === null) return false;
    const { pending, versions } = await selectStanding(this.#options.db, id);
    return pending === undefined && versions > 0;
  }

  /** Starts over later, with all its retries. Meanwhile other jobs can run. */
  async #comeBack(claim: Claim<{ sessionId: string }>, afterSecs: number): Promise<void> {
    const { db, jobs } = this.#options;
    await transact(db, async (trx) => {
      await claim.complete(trx);
      const priority = await evaluationPriority(trx, claim.payload.sessionId);
      await jobs.send(trx, sessionEnded, [claim.payload], { afterSecs, priority });
    });
  }

  /** Records a run that crashed five times, so that a person can request it again. */
  async giveUp(claim: Claim<{ sessionId: string }>): Promise<void> {
    const session = await readEndedSession(this.#options.db, claim.payload.sessionId);
    if (session !== undefined) return this.#fail(claim, session, { failure: "crashed" });
    await transact(this.#options.db, (trx) => claim.complete(trx));
  }

  async #judge(session: EndedSession, signal: AbortSignal): Promise<Judgement> {
    const { withinSecs } = this.#options;
    const { first, fallback } = this.#options.models;
    const { accountId } = session;
    const models = {
      first: forAccount(first, accountId),
      fallback: fallback && forAccount(fallback, accountId),
    };
    const rubric = await this.#rubrics.of({
      agentId: session.agentId,
      version: session.agentVersion,
    });
    const budget = AbortSignal.timeout(Math.max(1_000, withinSecs * 1_000 - WRITING_MS));
    const { turns, metadata, endedAt } = session;
    const date = endedAt.toISOString().slice(0, 10);
    return judgeConversation(
      models,
      rubric,
      { turns, metadata, date },
      {
        signal: AbortSignal.any([signal, budget]),
      },
    );
  }

  async #write(
    claim: Claim<unknown>,
    session: EndedSession,
    { checked, model, promptHash, usage }: Judgement,
  ): Promise<void> {
    const { summary, evaluation, dropped } = checked;
    await transact(this.#options.db, async (trx) => {
      await claim.complete(trx);
      await addSessionCost(trx, session.id, usage.costMicros);
      const finished = await finishEvaluation(trx, session.id, {
        state: "written",
        requestedAt: session.endedAt,
        model,
        promptHash,
        usage,
        summary,
        evaluation,
        dropped,
      });
      if (finished === undefined) return;
      const settled = await settleSession(trx, session.id, {
        status: "processed",
        summary,
        evaluation,
        turns: session.turns,
      });
      await failpoint("evaluate:writing");
      // A test session has no row that anybody reads, and nobody is told of it.
      if (settled === undefined) return;
      const { version, finishedAt } = finished;
      for (const join of this.#options.onEvaluated) {
        await join(trx, { session: settled, version, evaluatedAt: finishedAt });
      }
    });
  }

  async #failed(claim: Claim<unknown>, session: EndedSession, error: JudgeError): Promise<void> {
    const { db, jobs, log } = this.#options;
    const { pending } = await selectStanding(db, session.id);
    log.warn({ err: error, session: session.id, failure: error.failure }, "evaluation failed");
    const backoffSecs = backoffAfter(pending?.timesAway ?? 0, error.retryAfterMs);
    if (error.failure !== "model_away" || !mayWait(session, backoffSecs)) {
      return this.#fail(claim, session, error);
    }
    await transact(db, async (trx) => {
      await claim.complete(trx);
      await addSessionCost(trx, session.id, error.usage.costMicros);
      const spent = { requestedAt: session.endedAt, usage: error.usage };
      if (!(await postponeEvaluation(trx, session.id, spent))) return;
      const priority = await evaluationPriority(trx, session.id);
      const later = { afterSecs: backoffSecs, priority };
      await jobs.send(trx, evaluate, [{ sessionId: session.id }], later);
    });
    this.#tell("postponed", error.usage);
  }

  async #fail(
    claim: Claim<unknown>,
    session: EndedSession,
    { failure, usage = NO_USAGE, promptHash }: Failed,
  ): Promise<void> {
    await transact(this.#options.db, async (trx) => {
      await claim.complete(trx);
      await addSessionCost(trx, session.id, usage.costMicros);
      const finished = await finishEvaluation(trx, session.id, {
        state: "failed",
        requestedAt: session.endedAt,
        promptHash,
        usage,
        failure,
      });
      if (finished !== undefined) {
        await settleSession(trx, session.id, { status: "error", reason: failure });
      }
    });
    this.#tell(failure, usage);
  }

  #tell(outcome: "written" | "postponed" | EvaluationFailure, usage: ModelUsage): void {
    this.#options.onFinished?.(outcome, usage);
  }
}

/** A failed evaluation. A crash leaves no usage and no prompt. */
interface Failed {
  failure: EvaluationFailure;
  usage?: ModelUsage;
  promptHash?: Buffer | undefined;
}

/**
 * Until the session must settle. One that has settled is not tried again by a clock of its own: those are
 * taken up a few a second once the model is back, and all of an outage at once would be the next outage.
 */
function mayWait({ settledAt, evaluateBy, readAt }: EndedSession, waitSecs: number): boolean {
  if (settledAt !== null || evaluateBy === null) return false;
  return readAt.getTime() + waitSecs * 1_000 + WRITING_MS < evaluateBy.getTime();
}

/**
 * Returns the seconds until the run looks again whether the domain has answered; undefined when it
 * stops waiting, or would be overdue by then. The backoff starts at a second and grows: while name
 * servers are away, waiting runs must not crowd out the ones that can be evaluated.
 */
function awaitDomainFor(session: EndedSession): number | undefined {
  const waitedSecs = (session.readAt.getTime() - session.endedAt.getTime()) / 1_000;
  if (!session.awaitsDomain || waitedSecs >= AWAIT_DOMAIN_SECS) return undefined;
  const leftSecs = Math.ceil(AWAIT_DOMAIN_SECS - waitedSecs);
  const lookAfterSecs = Math.min(Math.max(1, Math.floor(waitedSecs / 2)), leftSecs);
  return mayWait(session, lookAfterSecs) ? lookAfterSecs : undefined;
}

/** Exponential backoff in seconds, or longer when the provider asks for it in `Retry-After`. */
function backoffAfter(timesAway: number, retryAfterMs: number | undefined): number {
  const doubled = BACKOFF_SECS.first * 2 ** Math.min(timesAway, 10);
  return Math.ceil(Math.max(Math.min(doubled, BACKOFF_SECS.max), (retryAfterMs ?? 0) / 1_000));
}
