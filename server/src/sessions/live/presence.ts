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

/** The interval at which a process reports that it is alive. */
export const RENEW_MS = 2_000;
/**
 * A process that has not reported for this long is dead. Several intervals, because a busy database
 * may delay a report.
 */
const DEAD_AFTER_SECS = 10;

/**
 * Reports that this process is alive. Returns `"new"` when it was not known: at its start, or after
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
  const { processes, places, voice } = await selectLiving(db, DEAD_AFTER_SECS);
  if (processes === 0) return { places: "none", voice };
  return { places: places > 0 ? "open" : "full", voice };
}

/** Whether a live process runs the session. */
export async function isCarried(db: Db, sessionId: string): Promise<boolean> {
  return selectIsCarried(db, sessionId, DEAD_AFTER_SECS);
}

/** Marks the visitors of dead processes as lost. Returns how many there were. */
export async function loseDeadProcesses(db: Db): Promise<number> {
  return markDead(db, { deadAfterSecs: DEAD_AFTER_SECS, returnWithinSecs: RETURN_WITHIN_SECS });
}
