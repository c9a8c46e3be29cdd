import { setTimeout as delay } from "node:timers/promises";
import { isStill, orderEvaluation, selectSettled } from "#evaluation";
import type { OwnedSession, SettledFilter } from "#evaluation";
import { AppError } from "#platform";
import type { JobSender } from "#platform";
import type { ManyEvaluations } from "../../pages/evaluation-page.ts";
import type { Operator } from "../../operator.ts";
import { tone, wrap } from "../../terminal/terminal.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const MOST_PROBLEMS = 20;

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
    await request(operator, jobs, outcome, session);
    operator.progress(index + 1, found.length, "evaluations asked for");
  }
  return outcome;
}

async function request(
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
    if (outcome.problems.length < MOST_PROBLEMS) {
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
  const told = `Found ${which}: ${count(requested)} requested, ${count(joined)} under way already, ${count(changed)} evaluated meanwhile, ${count(refused)} refused.`;
  return [
    ...outcome.problems.map(({ session_id: id, why }) => `${id}  ${wrap(why, terminal.width, 38)}`),
    paragraph(told),
    ...(stopped ? [tone(terminal, "warn", "Stopped. Run it again for the rest.")] : []),
    ...(requested + joined > 0 ? [paragraph(WATCH[status])] : []),
  ].join("\n");
}

const WATCH = {
  error:
    "Watch: the same command with --dry-run counts what is left, and the pipeline's metric svc_evaluations_total what is done.",
  processed: "Watch: the pipeline's metric svc_evaluations_total counts what is done.",
} as const;
