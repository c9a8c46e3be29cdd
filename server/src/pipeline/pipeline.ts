import { evaluate, Evaluator } from "#evaluation";
import type { EvaluationModels, OnEvaluated } from "#evaluation";
import { followUp, FollowUps } from "#followup";
import type { AddressMarks, PersonLinks } from "#followup";
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
import { createExhaustionNotice, deliver, Deliverer, Dispatcher } from "#webhooks";
import { createPipelineMetrics } from "./metrics.ts";
import { startSweeper } from "./sweeper.ts";

/** The background work: binds each room's jobs to what does them, and sweeps deadlines. */
export interface Pipeline {
  /** Takes nothing more and finishes what it has begun. */
  stop(): Promise<void>;
}

export interface PipelineOptions {
  db: Db;
  /** The queue's own connections: it must get at its jobs while every run holds one of `db`. */
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
    /** Evaluations a second that are taken up again after an outage. */
    retryRate: number;
    onEvaluated: OnEvaluated[];
  };
  webhooks: {
    egress: Egress;
    secrets: Secrets;
    mail: Mail;
    atOnce: number;
    retryAfterMs: number;
    keepDays: number;
  };
  followUp: {
    /** Undefined where no mail server is configured. */
    mail: Mail | undefined;
    marks: AddressMarks;
    links: PersonLinks;
    publicUrl: string;
  };
}

/** For everything from looking up a receiver's name to its status line. */
const RECEIVER_DEADLINE_MS = 10_000;
/** Each waits for name servers, some of which never answer, and holds nothing else. */
const DOMAIN_CHECKS_AT_ONCE = 256;
/** Connections to the mail server; most providers want no more of them from one sender. */
const MAILS_AT_ONCE = 8;

export async function startPipeline(options: PipelineOptions): Promise<Pipeline> {
  const { db, log, jobs, evaluation, webhooks } = options;
  const told = createPipelineMetrics(options.metrics, db);
  const evaluator = new Evaluator({
    db,
    jobs,
    log,
    ...evaluation,
    onFinished: (outcome, usage) => {
      told.evaluationFinished(outcome, usage);
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
      told.deliveryFinished(finished);
      dispatcher.poke();
    },
  });
  const followUps = new FollowUps({
    db,
    jobs,
    log,
    ...options.followUp,
    onFinished: told.followUpFinished,
  });
  const runner: JobRunner = await startJobRunner({
    pool: options.queuePool,
    log,
    bindings: [
      bind({ job: checkDomain, slots: DOMAIN_CHECKS_AT_ONCE, ...toRun(domainCheck) }),
      bind({ job: sessionEnded, slots: evaluation.atOnce, ...toRun(evaluator) }),
      // Slots of their own: whatever is asked for again never keeps a fresh session waiting.
      bind({ job: evaluate, slots: Math.ceil(evaluation.atOnce / 4), ...toRun(evaluator) }),
      bind({ job: deliver, slots: webhooks.atOnce, ...toRun(deliverer) }),
      bind({ job: followUp, slots: MAILS_AT_ONCE, ...toRun(followUps) }),
    ],
    onFinished: told.jobFinished,
  });
  const dispatcher = new Dispatcher({
    // Behind the runs' own statements it would wait until all of them are done, and they for it.
    db: createDb(options.queuePool),
    jobs,
    log,
    onAdmitted: () => runner.poke(deliver),
  });
  const sweeper = startSweeper({
    db,
    jobs,
    log,
    ...evaluation,
    keepDays: webhooks.keepDays,
    told,
  });
  return {
    stop: async () => {
      await Promise.all([sweeper.stop(), dispatcher.stop()]);
      await runner.stop();
      webhooks.egress.close();
    },
  };
}

function toRun<T extends Pick<DomainCheck | Evaluator | Deliverer | FollowUps, "run" | "giveUp">>(
  room: T,
): { run: T["run"]; giveUp: T["giveUp"] } {
  return { run: room.run.bind(room), giveUp: room.giveUp.bind(room) };
}
