import { forgetJobs } from "#platform";
import type { Db, Trx } from "#platform";
import {
  deleteEvents,
  deleteOldDeliveries,
  selectCounts,
  selectSessionOf,
  selectUnfinished,
} from "./upkeep-store.ts";
import type { DeliveryCounts } from "./upkeep-store.ts";

export type { DeliveryCounts } from "./upkeep-store.ts";

/**
 * Counts the deliveries that wait, are held back, run or failed. A failed delivery, exhausted or orphaned, is not
 * counted once a replay or a later event of its session has followed it.
 */
export async function countDeliveries(db: Db): Promise<DeliveryCounts> {
  return selectCounts(db);
}

/** The session that a delivery is about; undefined when it is gone. */
export async function sessionOfDelivery(db: Db, id: string): Promise<string | undefined> {
  return selectSessionOf(db, id);
}

/**
 * Removes deliveries that finished more than `keepDays` ago, with the receivers' answers, and events
 * that have no delivery left. Returns how many deliveries there were, at most `most`.
 */
export async function forgetDeliveries(db: Db, keepDays: number, limit: number): Promise<number> {
  return deleteOldDeliveries(db, keepDays, limit);
}

/**
 * Removes the events of these sessions with their deliveries, attempts and jobs. Returns how many
 * deliveries will now never be made. A request that is already under way may still arrive.
 */
export async function forgetEvents(trx: Trx, sessionIds: string[]): Promise<number> {
  await forgetJobs(trx, "deliveryId", await selectUnfinished(trx, sessionIds));
  return deleteEvents(trx, sessionIds);
}
