import { transact } from "#platform";
import type { Db, JobSender, Trx } from "#platform";
import { addTurn, confirmEmail, connectVisitor, endSession } from "../record/session.ts";
import type { EndReason } from "../record/session.ts";
import { updateLost } from "../record/store.ts";
import type { ClaimedSession, ClaimedTurn } from "./live-claim.ts";
import {
  forgetTokens,
  insertEvents,
  lockEpoch,
  selectUsage,
  updateUsage,
} from "./live-record-store.ts";
import type { LiveUsage } from "./live-record-store.ts";

export type { LiveUsage } from "./live-record-store.ts";

/** A session that this process carries, as every write names it. */
export type CarriedSession = Pick<ClaimedSession, "id" | "createdAt" | "epoch" | "maxMinutes">;

/** What happened in a conversation, to be stored in this order. */
export type LiveEntry =
  | { kind: "turn"; turn: ClaimedTurn }
  | { kind: "event"; event: { at: Date; kind: string; detail: Record<string, unknown> } }
  | { kind: "usage"; usage: LiveUsage };

/** Another process carries the session by now, or it is over: what this one still wants to write is void. */
export class NotCarried extends Error {
  readonly why: "moved" | "over";

  constructor(why: NotCarried["why"]) {
    super(`this process does not carry the session: ${why}`);
    this.name = "NotCarried";
    this.why = why;
  }
}

export async function recordLive(
  db: Db,
  session: CarriedSession,
  entries: readonly LiveEntry[],
): Promise<void> {
  await carrying(db, session, async (trx, isOver) => {
    const turns = entries.flatMap((entry) => (entry.kind === "turn" ? [entry.turn] : []));
    // The transcript may be settled by now. A rating is welcome still.
    if (isOver && turns.length > 0) throw new NotCarried("over");
    for (const { id: itemId, ...turn } of turns) await addTurn(trx, session, { ...turn, itemId });
    const events = entries.flatMap((entry) => (entry.kind === "event" ? [entry.event] : []));
    if (events.length > 0) await insertEvents(trx, session, events);
    const usage = entries.flatMap((entry) => (entry.kind === "usage" ? [entry.usage] : []));
    if (usage.length > 0) await updateUsage(trx, session, usage);
  });
}

/** What the session has used so far, by model: its totals go on from there. */
export async function liveUsage(db: Db, { id }: CarriedSession): Promise<LiveUsage[]> {
  return selectUsage(db, id);
}

/** The visitor is away, and is given up after that time. */
export async function loseLiveVisitor(
  db: Db,
  session: CarriedSession,
  returnWithinSecs: number,
): Promise<void> {
  await carrying(db, session, (trx) => updateLost(trx, session.id, returnWithinSecs));
}

/** The visitor is here after all. */
export async function keepLiveVisitor(db: Db, session: CarriedSession): Promise<void> {
  await carrying(db, session, (trx) => connectVisitor(trx, session.id, session.maxMinutes));
}

/** The visitor has confirmed an address on the card. */
export async function confirmLiveEmail(
  db: Db,
  jobs: JobSender,
  session: CarriedSession,
  address: string,
): Promise<void> {
  await carrying(db, session, (trx) => confirmEmail(trx, jobs, session.id, address));
}

/** Ends the conversation, and with it every ticket and token of its visitor. */
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

/** Holds the epoch while it writes, so that no other process can take the session in between. */
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
