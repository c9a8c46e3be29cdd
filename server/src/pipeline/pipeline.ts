import { embedKnowledge, KnowledgeEmbedder } from "#agents";
import { evaluate, Evaluator } from "#evaluation";
import type { EvaluationModels, OnEvaluated } from "#evaluation";
import { followUp, FollowUps } from "#followup";
import type { AddressMarks, PersonLinks } from "#followup";
import type { EmbeddingModel } from "#models";
import { bind, createDb, startJobRunner } from "#platform";
import type {
  Clock,
  Db,
  Dns,
  Egress,
  JobRunner,
  JobSender,
  Log,
  Mail,
  Metrics,
  Pool,
  Secrets,
} from "#platform";
import { checkDomain, DomainCheck, sessionEnded } from "#sessions";
import {
  createExhaustionNotice,
  deliver,
  Deliverer,
  Dispatcher,
  sessionOfDelivery,
} from "#webhooks";
import { createPipelineMetrics } from "./metrics.ts";
import { startSweeper } from "./sweeper.ts";
import { tracedJob } from "./traced-job.ts";

/** The background work: binds each module's jobs to the code that runs them, and sweeps deadlines. */
export interface Pipeline {
  /** The jobs that run in this process, and the most that may. */
  readonly load: JobRunner["load"];
  /** Takes no further jobs and finishes those that are running. */
  stop(): Promise<void>;
}

export interface PipelineOptions {
  db: Db;
  /**
   * The queue's own connections: it must reach its jobs even while running jobs hold every
   * connection of `db`.
   */
  queuePool: Pool;
  jobs: JobSender;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  dns: Dns;
  evaluation: {
    models: EvaluationModels;
    atOnce: number;
    withinSecs: number;
    /** The number of evaluations per second that are retried after an outage. */
    retryRate: number;
    onEvaluated: OnEvaluated[];
  };
  /** Undefined where knowledge is searched by its words alone. */
  embeddings: EmbeddingModel | undefined;
  webhooks: {
    egress: Egress;
    secrets: Secrets;
    mail: Mail;
    atOnce: number;
    backoffMs: number;
    keepDays: number;
  };
  followUp: {
    /** Undefined when no mail server is configured. */
    mail: Mail | undefined;
    marks: AddressMarks;
    links: PersonLinks;
    publicUrl: string;
  };
}

/** Covers everything from the DNS lookup of the receiver to its status line. */
const RECEIVER_DEADLINE_MS = 10_000;
/** A check only waits for name servers, some of which never answer, so many can run at once. */
const DOMAIN_CHECKS_AT_ONCE = 256;
/** The number of connections to the mail server; most providers allow no more from one sender. */
const MAILS_AT_ONCE = 8;

export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { db, log, jobs, evaluation, webhooks } = options;
  const metrics = createPipelineMetrics(options.metrics, db, options.clock);
  const evaluator = new Evaluator({
    db,
    jobs,
    log,
    ...evaluation,
    onFinished: (outcome, usage) => {
      metrics.evaluationFinished(outcome, usage);
      if (outcome === "written") dispatcher.poke();
    },
  });
  const domainCheck = new DomainCheck(options);
  const deliverer = new Deliverer({
    db,
    log,
    ...webhooks,
    notice: createExhaustionNotice(db, webhooks.mail, log),
    deadlineMs: RECEIVER_DEADLINE_MS,
    onFinished: (finished) => {
      metrics.deliveryFinished(finished);
      dispatcher.poke();
    },
  });
  const followUps = new FollowUps({
    db,
    jobs,
    log,
    ...options.followUp,
    onFinished: metrics.followUpFinished,
  });
  const embedder = new KnowledgeEmbedder({ db, jobs, log, model: options.embeddings });
  const evaluating = tracedJob(toRun(evaluator), {
    span: "svc.evaluate",
    db,
    sessionOf: async ({ sessionId }) => sessionId,
  });
  const delivering = tracedJob(toRun(deliverer), {
    span: "svc.deliver",
    db,
    sessionOf: ({ deliveryId }) => sessionOfDelivery(db, deliveryId),
  });
  const runner: JobRunner = await startJobRunner({
    pool: options.queuePool,
    log,
    bindings: [
      bind({ job: checkDomain, slots: DOMAIN_CHECKS_AT_ONCE, ...toRun(domainCheck) }),
      bind({ job: sessionEnded, slots: evaluation.atOnce, ...evaluating }),
      // Separate slots, so that re-evaluations never delay a new session.
      bind({ job: evaluate, slots: Math.ceil(evaluation.atOnce / 4), ...evaluating }),
      bind({ job: deliver, slots: webhooks.atOnce, ...delivering }),
      bind({ job: followUp, slots: MAILS_AT_ONCE, ...toRun(followUps) }),
      bind({ job: embedKnowledge, slots: 1, ...toRun(embedder) }),
    ],
    onFinished: metrics.jobFinished,
  });
  const dispatcher = new Dispatcher({
    // On the jobs' own pool, the dispatcher would wait for a connection until all jobs are done, while they wait for it.
    db: createDb(options.queuePool),
    jobs,
    log,
    onAdmitted: () => runner.poke(deliver),
  });
  const sweeper = startSweeper({
    db,
    jobs,
    log,
    clock: options.clock,
    ...evaluation,
    keepDays: webhooks.keepDays,
    metrics,
  });
  return {
    get load() {
      return runner.load;
    },
    stop: async () => {
      await Promise.all([sweeper.stop(), dispatcher.stop()]);
      await runner.stop();
    },
  };
}

function toRun<
  T extends Pick<
    DomainCheck | Evaluator | Deliverer | FollowUps | KnowledgeEmbedder,
    "run" | "giveUp"
  >,
>(runner: T): { run: T["run"]; giveUp: T["giveUp"] } {
  return { run: runner.run.bind(runner), giveUp: runner.giveUp.bind(runner) };
}
