import { AppError } from "#platform";
import type { Db } from "#platform";
import { webhookId } from "../delivery/sign.ts";
import {
  selectAttempts,
  selectDeliveries,
  selectDelivery,
  selectHealth,
  selectReplays,
  selectStatesOfSessions,
} from "./delivery-list-store.ts";
import type { DeliveryState } from "../delivery/delivery-store.ts";
import type {
  DeliveryAttempt,
  DeliveryFilter,
  EndpointHealth,
  ListedDelivery,
} from "./delivery-list-store.ts";

export type {
  DeliveryFilter,
  ListedDelivery,
  DeliveryAttempt,
  EndpointHealth,
} from "./delivery-list-store.ts";

export { DELIVERY_STATES } from "../delivery/delivery-store.ts";
export type { DeliveryState } from "../delivery/delivery-store.ts";

/** The newest first. */
export async function listDeliveries(db: Db, filter: DeliveryFilter): Promise<ListedDelivery[]> {
  return selectDeliveries(db, filter);
}

/** Whether what these sessions sent has arrived, by session. A session that sent nothing is left out. */
export async function arrivals(db: Db, sessionIds: string[]): Promise<Map<string, Arrival>> {
  const found = await selectStatesOfSessions(db, sessionIds);
  return new Map(found.map(({ sessionId, states }) => [sessionId, arrivalOf(states)]));
}

export type Arrival = "delivered" | "under_way" | "failed";

/** One endpoint that did not get it makes it a failure, whatever the others got. */
function arrivalOf(states: DeliveryState[]): Arrival {
  if (states.some((state) => state === "exhausted" || state === "orphaned")) return "failed";
  return states.every((state) => state === "delivered") ? "delivered" : "under_way";
}

/** Everything about one delivery. */
export interface DeliveryStory extends ListedDelivery {
  endpointState: "live" | "paused" | "removed";
  /** The older delivery of the same session that this one waits for. */
  behind: string | null;
  event: { webhookId: string; version: number; at: Date; body: Buffer };
  log: DeliveryAttempt[];
  /** Replays of this delivery. */
  replays: string[];
}

export async function tellDelivery(db: Db, id: string): Promise<DeliveryStory> {
  const [delivery, log, replays] = await Promise.all([
    selectDelivery(db, id),
    selectAttempts(db, id),
    selectReplays(db, id),
  ]);
  if (delivery === undefined) throw unknownDelivery(id);
  const { eventId, version, eventAt, body, ...listed } = delivery;
  const event = { webhookId: webhookId(eventId), version, at: eventAt, body };
  return { ...listed, event, log, replays };
}

/** Returned in no particular order. */
export async function endpointHealth(db: Db, endpointIds: string[]): Promise<EndpointHealth[]> {
  return selectHealth(db, endpointIds);
}

export function unknownDelivery(id: string): AppError {
  return new AppError("not_found", {
    what: `There is no delivery ${id}.`,
    why: "It never existed, or it is so old that neither it nor its body is kept.",
    fix: "Run `svc deliveries list` to see which there are. To send an old session again, evaluate it again.",
  });
}
