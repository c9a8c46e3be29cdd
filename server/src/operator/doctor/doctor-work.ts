import { evaluationBacklog } from "#evaluation";
import { overdueJobs } from "#platform";
import type { OverdueJobs } from "#platform";
import { listSessions, overdueSessions } from "#sessions";
import { countDeliveries, endpointHealth, listEndpoints, secretsThatDoNotOpen } from "#webhooks";
import type { Endpoint, EndpointHealth } from "#webhooks";
import type { Operator } from "../operator.ts";
import { duration } from "../terminal/times.ts";
import { configured, counted, NEEDS_CONFIGURATION } from "./check.ts";
import type { Check, Finding } from "./check.ts";

/** Whether the work of the pipeline gets done. */
export const workChecks: Check[] = [
  { name: "queue", needsDatabase: true, look: queue },
  { name: "unsettled sessions", needsDatabase: true, look: unsettledSessions },
  { name: "evaluations", needsDatabase: true, look: evaluations },
  { name: "webhook secrets", needsDatabase: true, look: webhookSecrets },
  { name: "deliveries", needsDatabase: true, look: deliveries },
  { name: "receivers", needsDatabase: true, look: receivers },
];

/** A job is taken within a second; the sweeper is as quick. More is a backlog. */
const GRACE_SECS = 60;

async function queue(operator: Operator): Promise<Finding> {
  return judgeQueue(await overdueJobs(operator.db(), GRACE_SECS));
}

function judgeQueue(overdue: OverdueJobs[]): Finding {
  const [oldest] = overdue;
  if (oldest === undefined) return { state: "ok", says: "no job waits for long" };
  const kinds = overdue.map(({ name, count }) => `${count.toLocaleString("en")} ${name}`);
  return {
    state: "warn",
    says: `jobs wait to be taken: ${kinds.join(", ")}; the oldest for ${duration(oldest.oldestSecs)}`,
    fix: "Run `svc status`. If pipeline processes run and are busy, start more; if they are idle, look into their logs.",
  };
}

async function unsettledSessions(operator: Operator): Promise<Finding> {
  const { count, oldest } = await overdueSessions(operator.db(), GRACE_SECS);
  if (oldest === undefined) return { state: "ok", says: "none is past its deadline" };
  return {
    state: "warn",
    says: `${count.toLocaleString("en")} past their deadline, the oldest is ${oldest.sessionId}`,
    fix: `Run \`svc sessions show ${oldest.sessionId}\` for what it waits for. Sessions behind it are held back from the export.`,
  };
}

const DAY_MS = 86_400_000;
const MAX_LISTED = 1_000;

async function evaluations(operator: Operator): Promise<Finding> {
  const db = operator.db();
  const since = new Date(operator.clock.nowMs() - DAY_MS);
  const limit = MAX_LISTED;
  const failed = await listSessions(db, { status: "error", since, test: false, limit });
  if (failed.length === 0) return { state: "ok", says: "none of the last 24 hours failed" };
  const { modelAway } = await evaluationBacklog(db);
  const many = failed.length === limit ? `${limit.toLocaleString("en")} or more` : failed.length;
  return {
    state: "warn",
    says: `${many} of the last 24 hours failed${modelAway === 0 ? "" : `; ${modelAway.toLocaleString("en")} are done again by themselves once a model answers`}`,
    fix: "Run `svc sessions list --status error --since 24h` for which, and `svc evaluate --status error --since 24h` to try again.",
  };
}

/** Opens every stored secret: the keys here must be those of the pipeline. */
async function webhookSecrets(operator: Operator): Promise<Finding> {
  const db = operator.db();
  const stored = (await listEndpoints(db)).filter(({ state }) => state !== "removed").length;
  if (stored === 0) return { state: "ok", says: "none is stored" };
  const secrets = configured(() => operator.secrets());
  if (secrets === "half") {
    if (operator.configProblems().some(({ name }) => name === KEYS)) return NEEDS_CONFIGURATION;
    return {
      state: "fail",
      says: `${counted(stored, "is", "are")} stored, and ${KEYS} is not set here`,
      fix: `Set ${KEYS} as the pipeline has it.`,
    };
  }
  const [first, ...more] = await secretsThatDoNotOpen(db, secrets);
  if (first === undefined) return { state: "ok", says: `all ${stored} can be opened` };
  return {
    state: "fail",
    says: `${counted(1 + more.length, "receiver gets", "receivers get")} nothing, because its secret cannot be opened: ${first.endpointId}. ${first.why.replace(/\.$/, "")}`,
    fix: `Put the missing key back into ${KEYS}, behind the newest one. If it is lost, run \`svc webhooks rotate ${first.endpointId}\` and hand the new secret over.`,
  };
}

const KEYS = "SVC_SECRET_KEYS";

/** Longer than a delivery waits between two attempts. */
const LATE_SECS = 120;

async function deliveries(operator: Operator): Promise<Finding> {
  const { states, oldestDueSecs } = await countDeliveries(operator.db());
  const { exhausted, orphaned, waiting } = states;
  if (orphaned > 0 || exhausted > 0) {
    const lost = [
      ...(exhausted > 0 ? [`${counted(exhausted, "delivery", "deliveries")} failed for good`] : []),
      ...(orphaned > 0
        ? [`${orphaned.toLocaleString("en")} orphaned: crashes of ours cut every attempt short`]
        : []),
    ];
    const state = exhausted > 0 ? "exhausted" : "orphaned";
    return {
      state: "warn",
      says: `${lost.join("; ")}; not sent again since`,
      fix: `Run \`svc deliveries list --state ${state}\` for which and why, then \`svc deliveries replay --account <account> --failed-since 7d\`.`,
    };
  }
  if (oldestDueSecs <= LATE_SECS) return { state: "ok", says: `${waiting} waiting, none is late` };
  return {
    state: "warn",
    says: `${waiting.toLocaleString("en")} waiting, the oldest is due for ${duration(oldestDueSecs)}`,
    fix: "Run `svc deliveries list --state waiting`. If several receivers are late, start another pipeline process.",
  };
}

async function receivers(operator: Operator): Promise<Finding> {
  const db = operator.db();
  const endpoints = (await listEndpoints(db)).filter(({ state }) => state !== "removed");
  const health = await endpointHealth(
    db,
    endpoints.map(({ id }) => id),
  );
  return judgeReceivers(endpoints, health, operator.clock.nowMs());
}

/** Fewer finished deliveries prove nothing. */
const ENOUGH_FINISHED = 3;

export function judgeReceivers(
  endpoints: Pick<Endpoint, "id" | "state">[],
  health: EndpointHealth[],
  nowMs: number,
): Finding {
  const byId = new Map(health.map((one) => [one.endpointId, one]));
  const failing = endpoints.filter(({ id, state }) => {
    const { finished = 0, delivered = 0 } = byId.get(id) ?? {};
    return state === "live" && finished >= ENOUGH_FINISHED && delivered === 0;
  });
  if (failing.length > 0) {
    return {
      state: "warn",
      says: `${counted(failing.length, "receiver has", "receivers have")} taken none of the last deliveries: ${namesOf(failing)}`,
      fix: `Run \`svc webhooks test ${failing[0]!.id}\` for what is wrong with it.`,
    };
  }
  const paused = endpoints.filter(({ id, state }) => {
    const oldest = byId.get(id)?.oldestDueAt;
    return state === "paused" && oldest && nowMs - oldest.getTime() > DAY_MS;
  });
  if (paused.length > 0) {
    return {
      state: "warn",
      says: `deliveries wait for more than a day, because the receiver is paused: ${namesOf(paused)}`,
      fix: `Run \`svc webhooks resume ${paused[0]!.id}\` once it can take them, or remove it.`,
    };
  }
  const live = endpoints.filter(({ state }) => state === "live").length;
  return {
    state: "ok",
    says: live === 0 ? "none is live" : `${live} live, none refuses everything`,
  };
}

const MOST_NAMED = 3;

function namesOf(endpoints: { id: string }[]): string {
  const more = endpoints.length - MOST_NAMED;
  const named = endpoints.slice(0, MOST_NAMED).map(({ id }) => id);
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
