import type { ReceivedRequest } from "@svc/rehearsal";
import type { TimedAttempt } from "./judge-gaps.ts";
import { fateOf } from "./fate.ts";
import type { RecordedDelivery } from "./recorded-delivery.ts";

const MOST_ATTEMPTS = 3;

/** A delivery as we recorded it, and every request that the receiver saw of it. */
export interface Witnessed {
  delivery: RecordedDelivery;
  requests: readonly Readonly<ReceivedRequest>[];
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
export function faultsOf({ delivery, requests }: Witnessed): string[] {
  const { attempts, state, orphans } = delivery;
  const fates = requests.map(fateOf);
  const answered = fates.filter((fate) => fate === "taken" || fate === "refused").length;
  const reached = attempts.filter(({ outcome }) => !BEFORE_THE_REQUEST.has(outcome)).length;
  const checks: [isWrong: boolean, what: string][] = [
    [attempts.length > MOST_ATTEMPTS, "a fourth outcome"],
    [answered > attempts.length, "more requests than outcomes"],
    [requests.length < reached, "an outcome without a request"],
    [requests.length > 2 * attempts.length, "more requests than two for an attempt"],
    [orphans > 0, "an attempt cut short though nothing crashed"],
    [
      attempts.slice(0, -1).some(({ status }) => isTaken(status)),
      "another attempt after a success",
    ],
    [state === "delivered" && !isTaken(attempts.at(-1)?.status ?? null), "delivered without a 2xx"],
    [state === "delivered" && !fates.some((fate) => fate !== "refused"), "delivered, not taken"],
    [state === "exhausted" && attempts.length < MOST_ATTEMPTS, "given up too early"],
    [state === "exhausted" && fates.includes("taken"), "given up though it was taken"],
    [state !== "delivered" && state !== "exhausted", `left ${state}`],
    [
      requests.some(({ bodySha256: sent = delivery.bodySha256 }) => sent !== delivery.bodySha256),
      "other bytes",
    ],
    [requests.some(({ signatures }) => !isSigned(signatures)), "a wrong signature"],
  ];
  return checks
    .filter(([isWrong]) => isWrong)
    .map(([, what]) => `${what}: ${describeDelivery(delivery, requests)}`);
}

export function isTaken(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The receiver cannot have seen these. */
const BEFORE_THE_REQUEST = new Set(["name_not_found", "dns_failed", "tls_failed", "timed_out"]);

function isSigned(signatures: ReceivedRequest["signatures"]): boolean {
  // Of a request whose body did not come nothing can be said.
  if (signatures === undefined) return true;
  return signatures.svc === "valid" && signatures.standard === "valid";
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

export function describeDelivery(
  { id, state, attempts }: RecordedDelivery,
  requests: readonly Readonly<ReceivedRequest>[],
): string {
  const outcomes = attempts.map(({ outcome, status }) => status ?? outcome);
  const seen = requests.map(({ fault, status }) => `${fault ?? "none"} ${status ?? "-"}`);
  return `delivery ${id} ${state}, outcomes ${outcomes.join(", ")}, requests ${seen.join(", ")}`;
}
