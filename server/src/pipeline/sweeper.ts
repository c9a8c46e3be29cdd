import { setTimeout as delay } from "node:timers/promises";
import { isModelAwayDue, retryModelAway } from "#evaluation";
import type { EvaluationModels } from "#evaluation";
import type { Clock, Db, JobSender, Log } from "#platform";
import { retainOnce } from "#rights";
import {
  digestDue,
  dropEmptyLogDays,
  loseDeadProcesses,
  PassedOver,
  sweepDeadlines,
} from "#sessions";
import { forgetDeliveries } from "#webhooks";
import type { PipelineMetrics } from "./metrics.ts";

export interface SweeperOptions {
  db: Db;
  jobs: JobSender;
  log: Log;
  clock: Clock;
  models: EvaluationModels;
  withinSecs: number;
  /** The number of evaluations per second that are retried. */
  retryRate: number;
  keepDays: number;
  metrics: PipelineMetrics;
}

/** A deadline may be overrun by five seconds. */
const SWEEP_MS = 1_000;
const FORGET_MS = 60_000;
const RETAIN_MS = 60_000;
/** Works briefly, then rests nine times as long, so that readers of the export do not notice. */
const RETAIN_AT_ONCE = 50;
const REST = { factor: 9, maxMs: 2_000 };
/** A sweep that finds more continues at once. */
const MAX_AT_ONCE = 200;

/** Looks once a second for events that no job announces: a passed deadline, a model that answers again. */
export function startSweeper(options: SweeperOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const passedOver = new PassedOver(options.clock);
  const done = Promise.all([
    repeat(stopping.signal, options.log, "deadlines", () => sweep(options, passedOver)),
    repeat(stopping.signal, options.log, "re-evaluations", takeUpAgain(options)),
    repeat(stopping.signal, options.log, "digests", () => digestDue(options.db)),
    repeat(stopping.signal, options.log, "old deliveries", () => forget(options), FORGET_MS),
    repeat(
      stopping.signal,
      options.log,
      "retention",
      () => retain(options, stopping.signal),
      RETAIN_MS,
    ),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

/** Runs `work` at intervals, and again at once when it returns true. */
async function repeat(
  stop: AbortSignal,
  log: Log,
  what: string,
  work: () => Promise<boolean>,
  everyMs: number = SWEEP_MS,
): Promise<void> {
  while (!stop.aborted) {
    const more = await work().catch((error: unknown) => {
      log.warn({ err: error, sweep: what }, "a sweep failed");
      return false;
    });
    if (!more) await delay(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

async function sweep(
  { db, jobs, log, withinSecs, metrics }: SweeperOptions,
  passedOver: PassedOver,
): Promise<boolean> {
  const lost = await loseDeadProcesses(db);
  if (lost > 0) log.warn({ sessions: lost }, "visitors of dead processes are lost");
  let failed = 0;
  const swept = await sweepDeadlines(db, jobs, {
    limit: MAX_AT_ONCE,
    evaluateWithinSecs: withinSecs,
    passedOver,
    onError: (session, error) => {
      failed += 1;
      log.error({ err: error, session }, "a deadline was not enforced");
    },
  });
  for (const { id, outcome } of swept) {
    metrics.sessionSwept(outcome);
    log.info({ session: id, outcome }, "deadline passed");
  }
  return swept.length + failed === MAX_AT_ONCE;
}

/**
 * Retries evaluations that failed because no model could be reached, a few per second and only
 * while a model answers: all of them at once would cause the next outage.
 */
function takeUpAgain(options: SweeperOptions): () => Promise<boolean> {
  const { db, jobs, log, models, retryRate } = options;
  // With a rate below one per second, several sweeps add up to one retry.
  let saved = 0;
  return async () => {
    saved = Math.min(saved + (retryRate * SWEEP_MS) / 1_000, Math.max(retryRate, 1));
    const limit = Math.floor(saved);
    // A provider is not probed every second when nothing waits for it.
    if (limit === 0 || !(await isModelAwayDue(db))) return false;
    if (!(await models.first.isThere()) && !(await models.fallback?.isThere())) return false;
    saved -= limit;
    const count = await retryModelAway(db, jobs, limit);
    if (count > 0) log.info({ count }, "evaluations taken up again");
    return false;
  };
}

/** In batches, so that no transaction takes long. */
async function forget({ db, keepDays }: SweeperOptions): Promise<boolean> {
  return (await forgetDeliveries(db, keepDays, MAX_AT_ONCE)) === MAX_AT_ONCE;
}

/**
 * Removes sessions that are past their account's retention. When none are left, drops the days of
 * the live log that are empty now.
 */
async function retain({ db, log }: SweeperOptions, stop: AbortSignal): Promise<boolean> {
  const startedAt = performance.now();
  if ((await retainOnce(db, RETAIN_AT_ONCE)) > 0) {
    const restMs = Math.min((performance.now() - startedAt) * REST.factor, REST.maxMs);
    await delay(restMs, undefined, { signal: stop }).catch(() => undefined);
    return true;
  }
  const logDays = await dropEmptyLogDays(db);
  if (logDays > 0) log.info({ logDays }, "emptied days of the live log are dropped");
  return false;
}
