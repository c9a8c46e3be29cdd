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

/** How often a process says that it is there. */
export const RENEW_MS = 2_000;
/** One that has said nothing for so long is dead. Several renewals: a busy database may be late with one. */
const DEAD_AFTER_SECS = 10;

/**
 * Says that this process is there. `"new"` when nobody knew: at its start, or because it was silent
 * for so long that it was taken for dead and its visitors for lost.
 */
export async function renewPresence(db: Db, process: LiveProcess): Promise<"new" | "known"> {
  return upsertProcess(db, process);
}

export async function endPresence(db: Db, processId: string): Promise<void> {
  await deleteProcess(db, processId);
}

/** What a new session would find. */
export interface LiveOffer {
  /** `none` when no process is there whose model answers. */
  places: "open" | "full" | "none";
  /** Whether a process among them can talk by voice. */
  voice: boolean;
}

export async function liveOffer(db: Db): Promise<LiveOffer> {
  const { processes, places, voice } = await selectLiving(db, DEAD_AFTER_SECS);
  if (processes === 0) return { places: "none", voice };
  return { places: places > 0 ? "open" : "full", voice };
}

/** Whether a process that is there carries the session. */
export async function isCarried(db: Db, sessionId: string): Promise<boolean> {
  return selectIsCarried(db, sessionId, DEAD_AFTER_SECS);
}

/** The visitors of processes that died are lost from then on. Returns how many there were. */
export async function loseDeadProcesses(db: Db): Promise<number> {
  return markDead(db, { deadAfterSecs: DEAD_AFTER_SECS, returnWithinSecs: RETURN_WITHIN_SECS });
}
