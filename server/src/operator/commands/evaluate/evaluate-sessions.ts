import { setTimeout as delay } from "node:timers/promises";
import { isStill, orderEvaluation, selectOutcome, selectSettled } from "#evaluation";
import type { EvaluationOutcome, OwnedSession, SettledFilter } from "#evaluation";
import { AppError, hasRunner } from "#platform";
import type { JobSender } from "#platform";
import { ask } from "../../ask.ts";
import { evaluateAgain } from "../../console/session-routes.ts";
import type { Operator } from "../../operator.ts";
import type { ManyEvaluations, OneEvaluation } from "../../pages/evaluation-page.ts";
import { EXIT } from "../../terminal/explain-error.ts";
import { tone, wrap } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** A pipeline that runs takes a job within a second, and one that is restarted is back by then. */
const TAKEN_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 300;

/** Asks for a new evaluation and follows it to its end. */
export async function evaluateOne(
  operator: Operator,
  sessionId: string,
  { wait }: { wait: boolean },
): Promise<OneEvaluation> {
  const asked = await ask(operator, evaluateAgain, { params: { id: sessionId } });
  // A server is not asked again and again how far it is.
  if (!wait || operator.server !== undefined)
    return { ...asked, outcome: "not_awaited", dropped: [] };
  const { session_id: id, request, version } = asked;
  const found = await follow(operator, id, version);
  operator.progress(1, 1, "evaluation");
  return toOutput(id, request, found, found.state === "pending" ? "not_taken" : found.state);
}

export function exitCodeOfOne({ outcome }: OneEvaluation): number {
  if (outcome === "not_taken") return EXIT.unavailable;
  return outcome === "failed" ? EXIT.refused : EXIT.done;
}

/** Until it is finished. It is still pending when nobody is there to take it. */
async function follow(
  operator: Operator,
  sessionId: string,
  version: number,
): Promise<EvaluationOutcome> {
  const startedMs = operator.clock.monotonicMs();
  for (;;) {
    const found = await outcomeOf(operator, sessionId, version);
    if (found.state !== "pending") return found;
    const waitedMs = operator.clock.monotonicMs() - startedMs;
    if (waitedMs > TAKEN_WITHIN_MS && !(await hasRunner(operator.db()))) return found;
    const why = found.timesAway === 0 ? "" : `: the model was away ${found.timesAway} times`;
    operator.progress(Math.floor(waitedMs / 1_000), undefined, `s${why}`);
    await delay(LOOK_EVERY_MS);
  }
}

async function outcomeOf(
  operator: Operator,
  sessionId: string,
  version?: number,
): Promise<EvaluationOutcome> {
  const found = await selectOutcome(operator.db(), sessionId, version);
  if (found !== undefined) return found;
  throw new AppError("not_found", {
    what: `Session ${sessionId} is gone.`,
    why: "It was erased while its evaluation was under way.",
    fix: "There is nothing to do.",
  });
}

function toOutput(
  sessionId: string,
  request: OneEvaluation["request"],
  found: EvaluationOutcome,
  outcome: OneEvaluation["outcome"],
): OneEvaluation {
  const { finishedAt, requestedAt, model, inputTokens, outputTokens, costMicros } = found;
  return {
    session_id: sessionId,
    request,
    outcome,
    version: found.version,
    status: found.status,
    ...(finishedAt !== null && {
      took_secs: (finishedAt.getTime() - requestedAt.getTime()) / 1_000,
    }),
    ...(model !== null && { model }),
    ...(inputTokens !== null && { input_tokens: inputTokens }),
    ...(outputTokens !== null && { output_tokens: outputTokens }),
    ...(costMicros !== null && { cost_micros: costMicros }),
    ...(found.summary !== null && { summary: found.summary }),
    ...(found.evaluation !== null && { evaluation: { ...found.evaluation } }),
    dropped: found.dropped ?? [],
    ...(found.failure !== null && { failure: found.failure }),
  };
}

const MAX_PROBLEMS = 20;

/** Asks for new evaluations one by one, no faster than told: all of an outage at once would be the next outage. */
export async function evaluateMany(
  operator: Operator,
  filter: SettledFilter & { status: ManyEvaluations["status"] },
  { ratePerSec, dryRun }: { ratePerSec: number; dryRun: boolean },
): Promise<ManyEvaluations> {
  const found = await selectSettled(operator.db(), filter);
  const outcome: ManyEvaluations = {
    status: filter.status,
    since: filter.since.toISOString(),
    dry_run: dryRun,
    found: found.length,
    requested: 0,
    joined: 0,
    changed: 0,
    refused: 0,
    problems: [],
    stopped: false,
  };
  if (dryRun) return outcome;
  const jobs = operator.jobs();
  const stop = operator.interrupted();
  const startedMs = operator.clock.monotonicMs();
  for (const [index, session] of found.entries()) {
    const dueMs = startedMs + (index * 1_000) / ratePerSec;
    const aheadMs = Math.max(0, dueMs - operator.clock.monotonicMs());
    await delay(aheadMs, undefined, { signal: stop }).catch(() => undefined);
    outcome.stopped = stop.aborted;
    if (outcome.stopped) break;
    await requestOne(operator, jobs, outcome, session);
    operator.progress(index + 1, found.length, "evaluations asked for");
  }
  return outcome;
}

async function requestOne(
  operator: Operator,
  jobs: JobSender,
  outcome: ManyEvaluations,
  session: OwnedSession,
): Promise<void> {
  try {
    // Chosen a while ago: it may have healed by itself, and would be paid and delivered twice.
    const isDue = await isStill(operator.db(), session, outcome.status);
    if (!isDue) outcome.changed += 1;
    else outcome[await orderEvaluation(operator.db(), jobs, operator.actor, session)] += 1;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    outcome.refused += 1;
    if (outcome.problems.length < MAX_PROBLEMS) {
      outcome.problems.push({ session_id: session.id, why: error.why });
    }
  }
}

/** The counts, why sessions were refused, and how to see what comes of it. */
export function renderMany(outcome: ManyEvaluations, terminal: Terminal): string {
  const { found, status, since, requested, joined, changed, refused, stopped } = outcome;
  const count = (number: number): string => number.toLocaleString("en");
  const which = `${count(found)} with status ${status} since ${since}`;
  const paragraph = (text: string): string => wrap(text, terminal.width, 0);
  if (outcome.dry_run) return paragraph(`Found ${which}. Nothing was asked for.`);
  const counts = `Found ${which}: ${count(requested)} requested, ${count(joined)} under way already, ${count(changed)} evaluated meanwhile, ${count(refused)} refused.`;
  return [
    ...outcome.problems.map(({ session_id: id, why }) => `${id}  ${wrap(why, terminal.width, 38)}`),
    paragraph(counts),
    ...(stopped ? [tone(terminal, "warn", "Stopped. Run it again for the rest.")] : []),
    ...(requested + joined > 0 ? [paragraph(WATCH[status])] : []),
  ].join("\n");
}

const WATCH = {
  error:
    "Watch: the same command with --dry-run counts what is left, and the pipeline's metric svc_evaluations_total what is done.",
  processed: "Watch: the pipeline's metric svc_evaluations_total counts what is done.",
} as const;
