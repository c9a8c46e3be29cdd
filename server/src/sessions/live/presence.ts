import type { Db } from "#platform";
import { RETURN_WITHIN_SECS } from "@svc/contract/limits";
import {
  deleteProcess,
  markDead,
  selectIsCarried,
  selectLiving,
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
  /** Whether one of these processes offers voice. */
  voice: boolean;
}

export async function liveOffer(db: Db): Promise<LiveOffer> {
  const { processes, places, voice } = await selectLiving(db, LEASE_SECS);
  if (processes === 0) return { places: "none", voice };
  return { places: places > 0 ? "open" : "full", voice };
}

/** Returns whether a live process runs the session. */
export async function isCarried(db: Db, sessionId: string): Promise<boolean> {
  return selectIsCarried(db, sessionId, LEASE_SECS);
}

/** Marks the visitors of dead processes as lost. Returns how many there were. */
export async function loseDeadProcesses(db: Db): Promise<number> {
  return markDead(db, { leaseSecs: LEASE_SECS, returnWithinSecs: RETURN_WITHIN_SECS });
}
