import { evaluationBacklog } from "#evaluation";
import type { EvaluationBacklog } from "#evaluation";
import { livingProcesses } from "#platform";
import type { Clock, Db, Metrics, ReportedProcess } from "#platform";
import { oldestUnsettled } from "#sessions";
import { countDeliveries } from "#webhooks";
import type { DeliveryCounts } from "#webhooks";
import { Gauge } from "prom-client";

/**
 * Gauges of the whole service. Each pipeline process reports the same values, so a sum over processes
 * would count everything several times: the label `scope="service"` says to take the maximum.
 * While the database does not answer, they are absent instead of out of date.
 */
export function addServiceGauges(registry: Metrics, db: Db, clock: Clock): void {
  const read = cached(clock, CACHE_MS, () => readService(db));
  const add = (
    { name, help, labels = [] }: { name: string; help: string; labels?: string[] },
    valuesOf: (state: ServiceState) => [labels: Record<string, string>, value: number][],
  ): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ["scope", ...labels],
      registers: [registry],
      // Each gauge reads for itself: a value that another one sets is a scrape late.
      collect: async () => {
        const state = await read().catch(() => undefined);
        gauge.reset();
        if (state === undefined) return;
        for (const [given, value] of valuesOf(state)) {
          gauge.set({ scope: "service", ...given }, value);
        }
      },
    });
  };
  add(
    { name: "svc_deliveries", help: "Webhook deliveries by state", labels: ["state"] },
    ({ deliveries }) => byState(deliveries.states),
  );
  add(
    {
      name: "svc_delivery_oldest_due_seconds",
      help: "How long the oldest delivery that could run now has waited, paused endpoints left out",
    },
    ({ deliveries }) => [[{}, deliveries.oldestDueSecs]],
  );
  add(
    {
      name: "svc_evaluation_backlog",
      help: "Evaluations that are not finished, by state",
      labels: ["state"],
    },
    ({ evaluations: { waiting, running, modelAway } }) =>
      byState({ waiting, running, model_away: modelAway }),
  );
  add(
    {
      name: "svc_session_oldest_unsettled_seconds",
      help: "How long ago the oldest unsettled session started; 0 when every session is settled",
    },
    ({ oldestUnsettledSecs }) => [[{}, oldestUnsettledSecs]],
  );
  add(
    {
      name: "svc_processes",
      help: "Processes that are alive, by role and whether they are stopping",
      labels: ["role", "state"],
    },
    ({ processes }) =>
      (["api", "live", "pipeline", "all"] as const).flatMap((role) =>
        ([false, true] as const).map((draining): [Record<string, string>, number] => [
          { role, state: draining ? "draining" : "running" },
          processes.filter((one) => one.role === role && one.draining === draining).length,
        ]),
      ),
  );
}

/** The state of the whole service, which every pipeline process reads from the database. */
interface ServiceState {
  deliveries: DeliveryCounts;
  evaluations: EvaluationBacklog;
  oldestUnsettledSecs: number;
  processes: ReportedProcess[];
}

/** Scrapes of several collectors, or one by hand, must not multiply the queries. */
const CACHE_MS = 2_000;

async function readService(db: Db): Promise<ServiceState> {
  const [deliveries, evaluations, oldest, processes] = await Promise.all([
    countDeliveries(db),
    evaluationBacklog(db),
    oldestUnsettled(db),
    livingProcesses(db),
  ]);
  return { deliveries, evaluations, oldestUnsettledSecs: oldest?.ageSecs ?? 0, processes };
}

function byState(counts: Record<string, number>): [Record<string, string>, number][] {
  return Object.entries(counts).map(([state, count]) => [{ state }, count]);
}

/** Reads at most once in `forMs`. A failure is not kept. */
function cached<T>(clock: Clock, forMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { atMs: number; value: Promise<T> } | undefined;
  return () => {
    const nowMs = clock.monotonicMs();
    if (last !== undefined && nowMs - last.atMs < forMs) return last.value;
    const value = read();
    last = { atMs: nowMs, value };
    value.catch(() => (last = undefined));
    return value;
  };
}
