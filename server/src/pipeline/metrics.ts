import type { EvaluationFailure } from "#evaluation";
import { FOLLOW_UP_STATES } from "#followup";
import type { FollowUpState } from "#followup";
import { JOBS } from "#jobs";
import type { Clock, Db, Metrics } from "#platform";
import type { ModelUsage } from "#models";
import type { FinishedAttempt } from "#webhooks";
import { Counter, Histogram } from "prom-client";
import { addServiceGauges } from "./service-gauges.ts";

/** Whether a model answered; other outcomes say nothing about that. */
const ANSWERED: Partial<Record<"written" | "postponed" | EvaluationFailure, boolean>> = {
  written: true,
  model_refused: true,
  model_output: true,
  postponed: false,
  model_away: false,
};

export interface PipelineMetrics {
  jobFinished(job: string, outcome: "done" | "failed" | "lost", tookMs: number): void;
  evaluationFinished(outcome: "written" | "postponed" | EvaluationFailure, usage: ModelUsage): void;
  sessionSwept(outcome: "ended" | "overdue"): void;
  deliveryFinished(finished: FinishedAttempt): void;
  followUpFinished(state: FollowUpState): void;
}

export function createPipelineMetrics(registry: Metrics, db: Db, clock: Clock): PipelineMetrics {
  const registers = [registry];
  const jobs = new Histogram({
    name: "svc_job_duration_seconds",
    help: "Runs of background jobs",
    labelNames: ["job", "outcome"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    registers,
  });
  const evaluations = new Counter({
    name: "svc_evaluations_total",
    help: "Evaluations by outcome; postponed ones are tried again",
    labelNames: ["outcome"],
    registers,
  });
  const tokens = new Counter({
    name: "svc_evaluation_tokens_total",
    help: "Tokens that evaluations cost",
    labelNames: ["direction"],
    registers,
  });
  const money = new Counter({
    name: "svc_evaluation_cost_micros_total",
    help: "What evaluations cost, in millionths of the configured currency",
    registers,
  });
  const swept = new Counter({
    name: "svc_sessions_swept_total",
    help: "Sessions that passed a deadline",
    labelNames: ["outcome"],
    registers,
  });
  const deliveries = new Histogram({
    name: "svc_delivery_duration_seconds",
    help: "Attempts of webhook deliveries, by endpoint and what became of the delivery",
    labelNames: ["endpoint", "state"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  addServiceGauges(registry, db, clock);
  let modelAnswers: boolean | undefined;
  registry.watchProvider("evaluation_model", () => modelAnswers);
  const mails = new Counter({
    name: "svc_follow_ups_total",
    help: "Attempts to mail a prospect, by what became of the mail; waiting ones are tried again",
    labelNames: ["state"],
    registers,
  });
  // A counter that appears with its first event has not risen for Prometheus: an alert would miss it.
  for (const { name: job } of JOBS) {
    for (const outcome of ["failed", "lost"]) jobs.zero({ job, outcome });
  }
  for (const outcome of ["ended", "overdue"]) swept.inc({ outcome }, 0);
  for (const outcome of Object.keys(ANSWERED)) evaluations.inc({ outcome }, 0);
  for (const state of FOLLOW_UP_STATES) mails.inc({ state }, 0);
  return {
    followUpFinished: (state) => mails.inc({ state }),
    deliveryFinished: ({ endpointId, state, tookMs }) =>
      deliveries.observe({ endpoint: endpointId, state }, tookMs / 1_000),
    jobFinished: (job, outcome, tookMs) => jobs.observe({ job, outcome }, tookMs / 1_000),
    evaluationFinished: (outcome, usage) => {
      modelAnswers = ANSWERED[outcome] ?? modelAnswers;
      evaluations.inc({ outcome });
      tokens.inc({ direction: "input" }, usage.inputTokens);
      tokens.inc({ direction: "output" }, usage.outputTokens);
      money.inc(usage.costMicros);
    },
    sessionSwept: (outcome) => swept.inc({ outcome }),
  };
}
