import { AppError } from "#platform";
import type { Db, Trx } from "#platform";
import type { Evaluation } from "@svc/contract/types";
import { selectTurns } from "../record/store.ts";
import { selectWait } from "./export-hold-store.ts";
import type { Hold } from "./export-hold-store.ts";
import { exportHolds } from "./session-list.ts";
import type { ExportHold } from "./session-list.ts";
import {
  selectEvaluations,
  selectEvents,
  selectExported,
  selectSession,
} from "./session-story-store.ts";
import type { EvaluationRun, SessionEvent, StoredSession } from "./session-story-store.ts";

export type { EvaluationRun, SessionEvent } from "./session-story-store.ts";

/**
 * Everything that is known about one session at one moment. For operators only, because it contains
 * personal data.
 */
export interface SessionStory {
  session: StoredSession;
  conversation: SpokenTurn[];
  events: SessionEvent[];
  evaluations: EvaluationRun[];
  summary: string | undefined;
  evaluation: Evaluation | undefined;
  /** What it waits for while it is unsettled. */
  waiting: Hold | undefined;
  exported: ExportState;
  /** The session that currently holds back the export of its account. */
  hold: ExportHold | undefined;
}

export interface SpokenTurn {
  role: "user" | "assistant";
  content: string;
  interrupted: boolean;
  /** Undefined once the live log of that day is gone, and for imported sessions. */
  at: Date | undefined;
}

/**
 * - `exported`: every reader gets it.
 * - `held`: readers that have not passed the unsettled session do not get it yet.
 * - `missing`: it should have an export row and has none, which is a defect.
 */
export type ExportState = "exported" | "held" | "not_settled" | "test" | "missing";

export async function tellSession(db: Db, id: string): Promise<SessionStory> {
  // One snapshot: a session that settles meanwhile must not be shown half before and half after.
  const story = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((trx) => (UUID.test(id) ? readStory(trx, id) : Promise.resolve(undefined)));
  if (story !== undefined) return story;
  throw new AppError("not_found", {
    what: `There is no session ${id}.`,
    why: UUID.test(id) ? "It never existed, or it has been erased." : "That is no session id.",
    fix: "Run `svc sessions list` to see the newest.",
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function readStory(trx: Trx, id: string): Promise<SessionStory | undefined> {
  const session = await selectSession(trx, id);
  if (session === undefined) return undefined;
  const turns = await selectTurns(trx, session.id);
  const row = await selectExported(trx, session);
  const hold = (await exportHolds(trx, [session.accountId])).get(session.accountId);
  const evaluations = await selectEvaluations(trx, id);
  // A test session has no export row; an imported one may have no evaluation of ours.
  const newest = evaluations.findLast(({ state }) => state === "written");
  return {
    session,
    conversation:
      turns.length > 0
        ? turns.map(({ at, ...turn }) => ({ ...turn, at: hasTimes(session) ? at : undefined }))
        : (row?.transcript ?? []).map(({ role, content, interrupted }) => ({
            role,
            content,
            interrupted: interrupted ?? false,
            at: undefined,
          })),
    events: await selectEvents(trx, session),
    evaluations,
    summary: row?.summary ?? newest?.summary ?? undefined,
    evaluation: row?.evaluation ?? newest?.evaluation ?? undefined,
    waiting: session.settledAt === null ? await selectWait(trx, id) : undefined,
    exported: exportState(session, row !== undefined, hold),
    hold,
  };
}

/** Earlier systems do not record the time of each turn. */
function hasTimes({ endReason }: StoredSession): boolean {
  return endReason !== "imported";
}

function exportState(
  session: StoredSession,
  hasRow: boolean,
  hold: ExportHold | undefined,
): ExportState {
  if (session.test) return "test";
  if (session.settledAt === null) return "not_settled";
  if (!hasRow) return "missing";
  if (hold === undefined) return "exported";
  return isBehind(session, hold) ? "held" : "exported";
}

/** Returns whether a session comes after the held one in the order of the export: start, then id. */
function isBehind(session: StoredSession, hold: ExportHold): boolean {
  const gapMs = session.createdAt.getTime() - hold.createdAt.getTime();
  return gapMs === 0 ? session.id > hold.sessionId : gapMs > 0;
}
