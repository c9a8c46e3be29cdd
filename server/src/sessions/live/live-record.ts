import { transact } from "#platform";
import type { Db, JobSender, Trx } from "#platform";
import { addTurn, confirmEmail, connectVisitor, endSession } from "../record/session.ts";
import type { EndReason } from "../record/session.ts";
import { updateLost } from "../record/store.ts";
import type { ClaimedSession, ClaimedTurn } from "./live-claim.ts";
import {
  addCost,
  forgetTokens,
  insertEvents,
  lockEpoch,
  reserveCost,
  selectUsage,
  updateCarriedScene,
  updateScene,
  updateUsage,
} from "./live-record-store.ts";
import type { DayShare, LiveUsage, Reservation } from "./live-record-store.ts";
import type { Scene } from "../record/scene.ts";

export type { DayShare, LiveUsage, Reservation } from "./live-record-store.ts";

/** A session that this process runs, as required by every write. */
export type CarriedSession = Pick<ClaimedSession, "id" | "createdAt" | "epoch" | "maxMinutes">;

/** An entry of a conversation's log. Entries are stored in order. */
export type LiveEntry =
  | { kind: "turn"; turn: ClaimedTurn }
  | { kind: "event"; event: { at: Date; kind: string; detail: Record<string, unknown> } }
  | { kind: "usage"; usage: LiveUsage }
  /** The last one counts. */
  | { kind: "scene"; scene: Scene };

/** Another process runs the session now, or it has ended: this process must not write any more. */
export class NotCarried extends Error {
  readonly why: "moved" | "over";

  constructor(why: NotCarried["why"]) {
    super(`this process does not carry the session: ${why}`);
    this.name = "NotCarried";
    this.why = why;
  }
}

/** @param share renews the reservation with what was used. */
export async function recordLive(
  db: Db,
  session: CarriedSession,
  entries: readonly LiveEntry[],
  share?: DayShare,
): Promise<Reservation | undefined> {
  // While the agent speaks this is all there is, more than once a second: one statement instead of four.
  const [first] = entries;
  const isSceneOnly = entries.length === 1 && first?.kind === "scene" && share === undefined;
  if (isSceneOnly && (await updateCarriedScene(db, session, first.scene))) return undefined;
  return carrying(db, session, async (trx, isOver) => {
    const turns = entries.flatMap((entry) => (entry.kind === "turn" ? [entry.turn] : []));
    // The transcript may be settled by now, so no turn may be added. Ratings still may.
    if (isOver && turns.length > 0) throw new NotCarried("over");
    for (const { id: itemId, ...turn } of turns) await addTurn(trx, session, { ...turn, itemId });
    const events = entries.flatMap((entry) => (entry.kind === "event" ? [entry.event] : []));
    if (events.length > 0) await insertEvents(trx, session, events);
    const usage = entries.flatMap((entry) => (entry.kind === "usage" ? [entry.usage] : []));
    if (usage.length > 0) await updateUsage(trx, session, usage);
    const scene = entries.findLast((entry) => entry.kind === "scene");
    if (scene !== undefined && !isOver) await updateScene(trx, session.id, scene.scene);
    return share && reserveCost(trx, session.id, share);
  });
}

/** The session's use of models so far. A process that takes over continues from these totals. */
export async function liveUsage(db: Db, { id }: CarriedSession): Promise<LiveUsage[]> {
  return selectUsage(db, id);
}

/** Adds what an evaluation cost to the session and to its agent's day: caps on money count it, too. */
export async function addSessionCost(trx: Trx, id: string, costMicros: number): Promise<void> {
  await addCost(trx, id, costMicros);
}

/** The visitor is away; the session ends unless they return within that time. */
export async function loseLiveVisitor(
  db: Db,
  session: CarriedSession,
  returnWithinSecs: number,
): Promise<void> {
  await carrying(db, session, (trx) => updateLost(trx, session.id, returnWithinSecs));
}

/** The visitor is back. */
export async function keepLiveVisitor(db: Db, session: CarriedSession): Promise<void> {
  await carrying(db, session, (trx) => connectVisitor(trx, session.id, session.maxMinutes));
}

/** The visitor confirmed an address in the call. */
export async function confirmLiveEmail(
  db: Db,
  jobs: JobSender,
  session: CarriedSession,
  address: string,
): Promise<void> {
  await carrying(db, session, (trx) => confirmEmail(trx, jobs, session.id, address));
}

/** Ends the conversation and invalidates every ticket and token of its visitor. */
export async function endLiveSession(
  db: Db,
  jobs: JobSender,
  session: CarriedSession,
  end: { reason: EndReason; visitorLastSeenAt: Date | undefined; evaluateWithinSecs?: number },
): Promise<void> {
  const { visitorLastSeenAt, ...rest } = end;
  await carrying(db, session, async (trx) => {
    await endSession(trx, jobs, session.id, {
      ...rest,
      ...(visitorLastSeenAt !== undefined && { visitorLastSeenAt }),
    });
    await forgetTokens(trx, session.id);
  });
}

/** Locks the epoch during the write, so that no other process can take over the session meanwhile. */
async function carrying<T>(
  db: Db,
  session: CarriedSession,
  write: (trx: Trx, isOver: boolean) => Promise<T>,
): Promise<T> {
  return transact(db, async (trx) => {
    const visit = await lockEpoch(trx, session.id);
    if (visit?.epoch !== session.epoch) throw new NotCarried("moved");
    return write(trx, visit.isOver);
  });
}
