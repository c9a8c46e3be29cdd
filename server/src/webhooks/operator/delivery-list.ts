import type { Db } from "#platform";
import {
  selectAttempts,
  selectDeliveries,
  selectDelivery,
  selectHealth,
  selectReplays,
} from "./delivery-list-store.ts";
import { unknownDelivery } from "./replay.ts";
import { webhookId } from "../delivery/sign.ts";

export const DELIVERY_STATES = [
  "waiting",
  "running",
  "delivered",
  "exhausted",
  "orphaned",
  "cancelled",
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryFilter {
  accountId?: number;
  endpointId?: string;
  sessionId?: string;
  state?: DeliveryState;
  /** Written since then. */
  since?: Date;
  limit: number;
}

/** One event on its way to one endpoint. */
export interface ListedDelivery {
  id: string;
  endpointId: string;
  url: string;
  clientId: string;
  accountName: string;
  sessionId: string;
  state: DeliveryState;
  /** Recorded outcomes, and tries that a crash of ours cut short. */
  attempts: number;
  orphans: number;
  followed: boolean;
  replayOf: string | null;
  dueAt: Date;
  createdAt: Date;
  finishedAt: Date | null;
  /** Of the last attempt: `answered`, or the class of the failure. */
  lastOutcome: string | null;
  lastStatus: number | null;
}

/** The newest first. */
export async function listDeliveries(db: Db, filter: DeliveryFilter): Promise<ListedDelivery[]> {
  return selectDeliveries(db, filter);
}

export interface DeliveryAttempt {
  attempt: number;
  startedAt: Date;
  tookMs: number;
  outcome: string;
  status: number | null;
  detail: string | null;
  /** The first bytes of what the receiver answered. */
  answer: Buffer | null;
}

/** Everything about one delivery. */
export interface DeliveryStory extends ListedDelivery {
  endpointState: "live" | "paused" | "removed";
  /** The older delivery of its session that it waits for. */
  behind: string | null;
  event: { webhookId: string; version: number; at: Date; body: Buffer };
  log: DeliveryAttempt[];
  /** Deliveries that send the same again. */
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

/** How an endpoint does. */
export interface EndpointHealth {
  endpointId: string;
  waiting: number;
  running: number;
  /** Exhausted or orphaned, and not followed by a later delivery. */
  failed: number;
  /** Since when the delivery has been due that waits longest. */
  oldestDueAt: Date | null;
  /** Of the last hundred that are finished, how many there are, and how many were delivered. */
  finished: number;
  delivered: number;
}

/** Of these endpoints, in no order. */
export async function endpointHealth(db: Db, endpointIds: string[]): Promise<EndpointHealth[]> {
  return selectHealth(db, endpointIds);
}
