import { setTimeout as delay } from "node:timers/promises";
import type { TestDatabase } from "@svc/server/testing";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import { faultsOf, matchRequests, outOfOrder, timedAttempts } from "./judge-deliveries.ts";
import { judgeGaps } from "./judge-gaps.ts";
import type { Gaps } from "./judge-gaps.ts";
import { openReceivers } from "./open-receivers.ts";
import { countUnfinished, readDeliveries } from "./recorded-delivery.ts";
import type { SignedRequest } from "./signature-checkers.ts";
import type { Trouble } from "./trouble.ts";
import { writeEvaluations } from "./write-evaluations.ts";

export interface RetryRun {
  database: TestDatabase;
  trouble: Trouble;
  /** From one attempt to the next. */
  retrySecs: number;
  /** In one go. The next go begins when all deliveries of the last are finished. */
  evaluations: number;
  mayGoOn(deliveries: number): boolean;
  /** For deliveries that are not finished. */
  mayWait(): boolean;
  modelUrl: string;
  onEnd(clean: () => unknown): void;
}

export interface RetryFindings {
  deliveries: number;
  outcomes: number;
  faults: string[];
  gaps: Gaps;
  /** Some requests as they came, to be checked by others. */
  signed: SignedRequest[];
}

const SIGNED_SAMPLE = 12;

/** Delivers to receivers that fail, and judges every delivery by what we recorded and by what they saw. */
export async function playRetries(run: RetryRun): Promise<RetryFindings> {
  const { database, onEnd } = run;
  const receivers = await openReceivers(database, run.trouble);
  onEnd(() => receivers.close());
  const { receiver, endpoints } = receivers;
  const pipeline = startPipelineProcess(database, "pipeline", {
    SVC_MODEL_URL: run.modelUrl,
    SVC_WEBHOOK_RETRY_SECS: String(run.retrySecs),
    SVC_LOG_LEVEL: "warn",
    ...receivers.environment,
  });
  onEnd(() => pipeline.signal("SIGKILL"));
  const paths = new Map([...endpoints].map(([path, { id }]) => [id, path]));

  const found: RetryFindings = {
    deliveries: 0,
    outcomes: 0,
    faults: [],
    gaps: { gapsMs: [], early: 0, late: 0, held: 0 },
    signed: [],
  };
  let lastId = 0;
  let lastRequest = 0;
  do {
    await writeEvaluations(database, receivers.customer, run.evaluations);
    while ((await countUnfinished(database)) > 0 && run.mayWait()) await delay(250);
    const deliveries = await readDeliveries(database, lastId);
    const requests = receiver.requests(lastRequest);
    const witnessed = matchRequests(deliveries, requests, paths);
    lastId = deliveries.at(-1)?.id ?? lastId;
    lastRequest = requests.at(-1)?.number ?? lastRequest;

    found.deliveries += deliveries.length;
    found.outcomes += deliveries.reduce((sum, { attempts }) => sum + attempts.length, 0);
    found.faults.push(...witnessed.flatMap(faultsOf), ...outOfOrder(witnessed));
    const { gapsMs, ...counts } = judgeGaps(witnessed.map(timedAttempts), run.retrySecs * 1_000);
    found.gaps.gapsMs.push(...gapsMs);
    for (const kind of ["early", "late", "held"] as const) found.gaps[kind] += counts[kind];
  } while (run.mayGoOn(found.deliveries));

  found.signed = receiver
    .requests()
    .slice(-SIGNED_SAMPLE)
    .flatMap(({ number, path }) => {
      const { headers = {}, body } = receiver.content(number) ?? {};
      if (body === undefined) return [];
      return [
        { secret: endpoints.get(path)!.secret, headers: headers as Record<string, string>, body },
      ];
    });
  if (pipeline.errors() !== "") found.faults.push(pipeline.errors());
  return found;
}
