import { hash } from "node:crypto";
import type { ReceivedRequest, ReceiverFault } from "@svc/rehearsal";
import type { TestDatabase } from "@svc/server/testing";

/** A delivery as we recorded it, and every request that the receiver saw of it. */
export interface Witnessed {
  delivery: RecordedDelivery;
  requests: readonly Readonly<ReceivedRequest>[];
}

/** What our own tables say of a delivery. */
export interface RecordedDelivery {
  id: number;
  endpointId: string;
  sessionId: string;
  /** As receivers see it. */
  webhookId: string;
  version: number;
  state: string;
  /** Crashes of ours that cut it short. */
  orphans: number;
  bodySha256: string;
  attempts: { startedAtMs: number; tookMs: number; outcome: string; status: number | null }[];
}

const MAX_ATTEMPTS = 3;
/** What is wrong with a sender that sends one attempt twice. */
export const MORE_THAN_OUTCOMES = "more requests than outcomes";

/** The deliveries after this id, the oldest first. */
export async function readDeliveries(
  { pool }: TestDatabase,
  afterId = 0,
): Promise<RecordedDelivery[]> {
  const { rows } = await pool.query<Omit<RecordedDelivery, "bodySha256"> & { body: Buffer }>(
    `SELECT d.id::integer, d.endpoint_id AS "endpointId", d.session_id AS "sessionId", 'evt_' || replace(d.event_id::text, '-', '') AS "webhookId",
       event.version, d.state, d.orphans, event.body,
       (SELECT coalesce(json_agg(json_build_object('startedAtMs', extract(epoch FROM a.started_at) * 1000, 'tookMs', a.took_ms,
          'outcome', a.outcome, 'status', a.status) ORDER BY a.attempt), '[]') FROM delivery_attempts AS a WHERE a.delivery_id = d.id) AS attempts
     FROM deliveries AS d JOIN webhook_events AS event ON event.id = d.event_id
     WHERE d.id > $1 ORDER BY d.id`,
    [afterId],
  );
  return rows.map(({ body, ...delivery }) => ({
    ...delivery,
    bodySha256: hash("sha256", body, "hex"),
  }));
}

/** @param paths of the endpoints, by id. */
export function matchRequests(
  deliveries: RecordedDelivery[],
  requests: readonly Readonly<ReceivedRequest>[],
  paths: ReadonlyMap<string, string>,
): Witnessed[] {
  const byKey = Map.groupBy(requests, ({ webhookId, path }) => `${webhookId} ${path}`);
  return deliveries.map((delivery) => ({
    delivery,
    requests: byKey.get(`${delivery.webhookId} ${paths.get(delivery.endpointId)}`) ?? [],
  }));
}

/** What is wrong with a finished delivery that no crash of ours has hit. */
export function faultsOf(witnessed: Witnessed): string[] {
  const { delivery, requests } = witnessed;
  const { attempts, state, orphans } = delivery;
  const fates = requests.map(fateOf);
  const reached = attempts.filter(({ outcome }) => !BEFORE_THE_REQUEST.has(outcome)).length;
  return tell(witnessed, [
    ...commonChecks(witnessed),
    [requests.length > attempts.length, MORE_THAN_OUTCOMES],
    [requests.length < reached, "an outcome without a request"],
    [orphans > 0, "an attempt cut short though nothing crashed"],
    [state === "delivered" && !isTaken(attempts.at(-1)?.status ?? null), "delivered without a 2xx"],
    [state === "delivered" && !fates.some((fate) => fate !== "refused"), "delivered, not taken"],
    [state === "exhausted" && fates.includes("taken"), "given up though it was taken"],
    [requests.some(({ signatures }) => !isSigned(signatures)), "a wrong signature"],
  ]);
}

/** What is wrong with a delivery that crashes of ours may have hit. */
export function survivalFaults(witnessed: Witnessed): string[] {
  const { delivery, requests } = witnessed;
  const { attempts, state, orphans } = delivery;
  const isEverTaken = requests.some((one) => fateOf(one) === "taken");
  return tell(witnessed, [
    ...commonChecks(witnessed),
    // Each crash may cost the receiver one request that we know nothing of.
    [requests.length > attempts.length + orphans, "more requests than outcomes and crashes"],
    [requests.length < attempts.length, "an outcome without a request"],
    [state === "delivered" && !isEverTaken, "delivered, not taken"],
  ]);
}

type Check = [isWrong: boolean, what: string];

function commonChecks({ delivery, requests }: Witnessed): Check[] {
  const { attempts, state, bodySha256 } = delivery;
  const isTakenEarly = attempts.slice(0, -1).some(({ status }) => isTaken(status));
  return [
    [attempts.length > MAX_ATTEMPTS, "a fourth outcome"],
    [isTakenEarly, "another attempt after a success"],
    [state === "exhausted" && attempts.length < MAX_ATTEMPTS, "given up too early"],
    [state !== "delivered" && state !== "exhausted", `left ${state}`],
    [requests.some(({ bodySha256: sent = bodySha256 }) => sent !== bodySha256), "other bytes"],
  ];
}

function tell({ delivery, requests }: Witnessed, checks: Check[]): string[] {
  return checks
    .filter(([isWrong]) => isWrong)
    .map(([, what]) => `${what}: ${describeDelivery(delivery, requests)}`);
}

function describeDelivery(
  { id, state, attempts }: RecordedDelivery,
  requests: readonly Readonly<ReceivedRequest>[],
): string {
  const outcomes = attempts.map(({ outcome, status }) => status ?? outcome);
  const seen = requests.map(({ fault, status }) => `${fault ?? "none"} ${status ?? "-"}`);
  return `delivery ${id} ${state}, outcomes ${outcomes.join(", ")}, requests ${seen.join(", ")}`;
}

/** What a request comes to. */
export type Fate =
  | "taken"
  | "refused"
  /** No status came, which is the attempt's outcome. */
  | "lost"
  /** A reset may overtake the status before it. */
  | "open";

const FATES: Partial<Record<ReceiverFault["kind"], Fate>> = {
  reset_before_body: "lost",
  reset_in_body: "lost",
  reset_after_body: "lost",
  close: "lost",
  close_reused: "lost",
  reset_in_answer: "open",
  // The status is there, and what follows it does not matter.
  endless_body: "taken",
  huge_body: "taken",
  dripping_body: "taken",
  gzip_bomb: "taken",
  bad_chunks: "taken",
  // The status comes after more than a client reads.
  huge_header: "refused",
};

export function fateOf({ fault, status }: Pick<ReceivedRequest, "fault" | "status">): Fate {
  return (fault && FATES[fault]) ?? (isTaken(status ?? null) ? "taken" : "refused");
}

function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The receiver cannot have seen these. */
const BEFORE_THE_REQUEST = new Set(["name_not_found", "dns_failed", "tls_failed", "timed_out"]);

/** A request whose body did not come has no signatures to judge. */
function isSigned(signatures: ReceivedRequest["signatures"]): boolean {
  return (
    signatures === undefined || (signatures.svc === "valid" && signatures.standard === "valid")
  );
}

/** Requests that came to an endpoint after a newer evaluation of the same session had come. */
export function outOfOrder(witnessed: readonly Witnessed[]): string[] {
  const lines = Map.groupBy(
    witnessed,
    ({ delivery }) => `${delivery.endpointId} ${delivery.sessionId}`,
  );
  return [...lines.values()].flatMap((line) => {
    const arrivals = line
      .flatMap(({ delivery, requests }) => requests.map((request) => ({ delivery, request })))
      .toSorted((one, other) => one.request.number - other.request.number);
    let newest = 0;
    return arrivals.flatMap(({ delivery, request }) => {
      const isStale = delivery.version < newest;
      newest = Math.max(newest, delivery.version);
      return isStale ? [`stale after new: ${describeDelivery(delivery, [request])}`] : [];
    });
  });
}

/** One attempt of a delivery, as far as its time goes. */
export interface TimedAttempt {
  endpointId: string;
  startedAtMs: number;
  tookMs: number;
}

/** By the receiver's clock where it saw each attempt once, else by ours. */
export function timedAttempts({ delivery, requests }: Witnessed): TimedAttempt[] {
  const { attempts, endpointId } = delivery;
  const isSeen = requests.length === attempts.length;
  return attempts.map(({ startedAtMs, tookMs }, index) => ({
    endpointId,
    tookMs,
    startedAtMs: isSeen ? requests[index]!.atMs : startedAtMs,
  }));
}

export interface Gaps {
  /** From the start of one attempt to the start of the next. */
  gapsMs: number[];
  /** Sooner than they may, or later though a slot was free. */
  early: number;
  late: number;
  /** Later because all slots of the endpoint were taken. */
  held: number;
}

/** The shortest and the longest wait that we choose, and what may come on top: at 30 seconds, 27 to 33 in all. */
const CHOSEN = { from: 0.94, to: 1.02 };
const SLACK_MS = { early: 1_200, late: 2_400 };
const SLOTS = 8;

/** @param deliveries the attempts of each delivery, the first one first. */
export function judgeGaps(deliveries: readonly TimedAttempt[][], retryMs: number): Gaps {
  const byEndpoint = Map.groupBy(deliveries.flat(), ({ endpointId }) => endpointId);
  const found: Gaps = { gapsMs: [], early: 0, late: 0, held: 0 };
  for (const attempts of deliveries) {
    for (const [index, next] of attempts.entries()) {
      const last = attempts[index - 1];
      if (last === undefined) continue;
      const gapMs = next.startedAtMs - last.startedAtMs;
      found.gapsMs.push(gapMs);
      // With time scaled an attempt may take longer than the wait.
      const dueMs = last.startedAtMs + Math.max(last.tookMs, CHOSEN.to * retryMs);
      if (gapMs < CHOSEN.from * retryMs - SLACK_MS.early) found.early += 1;
      if (next.startedAtMs <= dueMs + SLACK_MS.late) continue;
      const others = byEndpoint.get(next.endpointId) ?? [];
      if (inFlight(others, next.startedAtMs - SLACK_MS.late) < SLOTS) found.late += 1;
      else found.held += 1;
    }
  }
  return found;
}

function inFlight(attempts: readonly TimedAttempt[], atMs: number): number {
  return attempts.filter(
    ({ startedAtMs, tookMs }) => startedAtMs <= atMs && startedAtMs + tookMs >= atMs,
  ).length;
}
