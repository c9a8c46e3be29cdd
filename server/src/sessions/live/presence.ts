import type { Db } from "#platform";
import { RETURN_WITHIN_SECS } from "@svc/contract/limits";
import {
  countCalls,
  deleteProcess,
  markDead,
  selectIsShared,
  selectLiving,
  selectNotCarried,
  upsertProcess,
} from "./presence-store.ts";
import type { LiveProcess } from "./presence-store.ts";

export type { LiveProcess } from "./presence-store.ts";

/** The interval of a live process's heartbeat. */
export const HEARTBEAT_MS = 2_000;
/**
 * The lease that a heartbeat renews: a process without one for this long counts as dead, and its
 * visitors as lost. It covers several intervals, because a busy database may delay a heartbeat.
 */
const LEASE_SECS = 10;

/**
 * Writes this process's heartbeat, which renews its lease. Returns `"new"` when it was not known: at its start, or after
 * a silence so long that it was considered dead and its visitors lost.
 */
export async function renewPresence(db: Db, process: LiveProcess): Promise<"new" | "known"> {
  return upsertProcess(db, process);
}

export async function endPresence(db: Db, processId: string): Promise<void> {
  await deleteProcess(db, processId);
}

/** The capacity for a new session. */
export interface LiveOffer {
  /** `none` when no live process has a model that answers. */
  places: "open" | "full" | "none";
  /** The number of conversations that these processes can still take. */
  free: number;
  /** Whether several accounts share them. */
  isShared: boolean;
  /** Whether one of these processes offers voice. */
  voice: boolean;
}

export async function liveOffer(db: Db): Promise<LiveOffer> {
  const { processes, places: free, voice } = await selectLiving(db, LEASE_SECS);
  const places = free > 0 ? "open" : "full";
  return {
    places: processes === 0 ? "none" : places,
    free,
    isShared: await isShared(db),
    voice,
  };
}

/** Returns whether several accounts have an agent that visitors can start, and so must share the processes. */
export async function isShared(db: Db): Promise<boolean> {
  return selectIsShared(db);
}

/** The conversations of accounts, with one more of the account that asks. */
export interface ShareCounts {
  own: number;
  /** Those of the account that has the most beside it. */
  largestOther: number;
  /** Places that stay free. */
  free: number;
}

/**
 * Returns whether an account may have so many conversations. An account that has fewer than another gets any place. The
 * largest one leaves places free for the others, the more of them the more it has.
 *
 * @param share the part of all places that one account may have when no other has any
 */
export function isWithinShare(share: number, { own, largestOther, free }: ShareCounts): boolean {
  return own <= Math.max(1, largestOther) || own * (1 - share) <= free * share;
}

/** Returns whether one more conversation of the account is within its share of all processes. */
export async function hasShareLeft(
  db: Db,
  accountId: number,
  share: number,
  { free, isShared: hasOthers }: LiveOffer,
): Promise<boolean> {
  if (share === 1 || !hasOthers) return true;
  const { own, largestOther } = await countCalls(db, accountId);
  return isWithinShare(share, { own: own + 1, largestOther, free: free - 1 });
}

/** Returns those of the sessions that this process does not run any more: erased ones, and those that another has taken over. */
export async function notCarried(
  db: Db,
  processId: string,
  sessionIds: string[],
): Promise<string[]> {
  return sessionIds.length === 0 ? [] : selectNotCarried(db, processId, sessionIds);
}

/** Marks the visitors of dead processes as lost. Returns how many there were. */
export async function loseDeadProcesses(db: Db): Promise<number> {
  return markDead(db, { leaseSecs: LEASE_SECS, returnWithinSecs: RETURN_WITHIN_SECS });
}
