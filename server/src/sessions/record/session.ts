import type { AgentVersion } from "#agents";
import { AppError, defineJob, newUuid, storable } from "#platform";
import type { Db, Job, JobSender, Trx } from "#platform";
import { RETURN_WITHIN_SECS } from "@svc/contract/limits";
import type { Evaluation } from "@svc/contract/types";
import * as z from "zod";
import { normalizeEmail } from "./email.ts";
import { countWaiting, selectEnded } from "./ended-store.ts";
import type { EndedSession } from "./ended-store.ts";
import { normalizeMetadata } from "./metadata.ts";
import {
  evaluationColumn,
  metadataColumn,
  textColumn,
  transcriptColumn,
} from "./session-object.ts";
import type { ExportedSession, Turn } from "./session-object.ts";
import {
  insertSession,
  insertTurn,
  lockSession,
  markEnded,
  selectTurns,
  settle,
  updateConnected,
  updateEmail,
  updateExportRow,
  updateLost,
} from "./store.ts";
import type { SessionRow, VisitFacts } from "./store.ts";

export type { EndedSession } from "./ended-store.ts";

/** A visitor whose socket has not opened by then is considered gone. */
const CONNECT_WITHIN_SECS = 60;
/** Time for the agent's closing words after the maximum duration, before the sweeper ends the session. */
const WRAP_UP_SECS = 60;
/**
 * Includes crashes and backlog. Later the session settles as `error`, and the evaluation continues
 * as a re-evaluation.
 */
export const EVALUATE_WITHIN_SECS = 300;

export interface StartedSession {
  id: string;
  createdAt: Date;
}

/**
 * Starts a session. This locks the account's clock, and every other start of the account waits for
 * the commit: call it late in its transaction, unless the lock is already held.
 */
export async function startSession(
  trx: Trx,
  jobs: JobSender,
  start: {
    accountId: number;
    agent: AgentVersion;
    test: boolean;
    metadata: Record<string, unknown>;
    /** Absent when there is no visitor. */
    visit?: VisitFacts;
    /** The start is stored as no later than this: the database's clock may have jumped ahead. */
    latestMs?: number | undefined;
  },
): Promise<StartedSession> {
  const id = newUuid();
  const metadata = normalizeMetadata(start.metadata);
  const email = Object.hasOwn(metadata, "email") ? normalizeEmail(metadata["email"]!) : undefined;
  if (email !== undefined) await orderDomainCheck(trx, jobs, id);
  const createdAt = await insertSession(
    trx,
    {
      id,
      accountId: start.accountId,
      agentId: start.agent.agentId,
      agentVersion: start.agent.version,
      test: start.test,
      metadata,
      email,
      visit: start.visit,
      latestMs: start.latestMs,
    },
    CONNECT_WITHIN_SECS,
  );
  return { id, createdAt };
}

/** The visitor has connected, or returned. `maxMinutes` counts from the first time. */
export async function connectVisitor(trx: Trx, id: string, maxMinutes: number): Promise<void> {
  await updateConnected(trx, id, maxMinutes * 60 + WRAP_UP_SECS);
}

/** The visitor is away; the session ends unless they return within `RETURN_WITHIN_SECS`. */
export async function loseVisitor(trx: Trx, id: string): Promise<void> {
  await updateLost(trx, id, RETURN_WITHIN_SECS);
}

/** Stores a turn as it was heard. A turn of which nothing was heard is not stored. */
export async function addTurn(
  trx: Trx,
  session: StartedSession,
  turn: Turn & { itemId: string; at: Date },
): Promise<void> {
  const content = storable(turn.content);
  if (content.trim() !== "") await insertTurn(trx, session, { ...turn, content });
}

/** Stores an address that the visitor confirmed. The latest one wins, in `email` and in `metadata.email`. */
export async function confirmEmail(
  trx: Trx,
  jobs: JobSender,
  id: string,
  input: string,
): Promise<void> {
  const session = await sessionToChange(trx, id);
  const address = normalizeEmail(input);
  if (address === undefined) {
    throw new AppError("invalid_input", {
      what: "The email address was not taken.",
      why: "It is not an address that mail can be sent to.",
      fix: "Check it for a missing @ or a space.",
    });
  }
  const metadata = Object.fromEntries([...Object.entries(session.metadata), ["email", address]]);
  // Confirming the address that the site passed reveals nothing new about its domain.
  const verified = session.email === address ? session.emailVerified : null;
  if (verified === null) await orderDomainCheck(trx, jobs, id);
  await updateEmail(trx, id, { address, verified, metadata });
  if (session.settledAt !== null) {
    const change = { email: address, email_verified: verified, metadata: metadataColumn(metadata) };
    await updateExportRow(trx, session, change);
  }
}

async function orderDomainCheck(trx: Trx, jobs: JobSender, sessionId: string): Promise<void> {
  await jobs.send(trx, checkDomain, [{ sessionId, timesAsked: 0 }]);
}

/**
 * Stores whether the address's domain accepts mail. A late answer updates the export row and sends
 * nothing.
 */
export async function setEmailVerified(
  trx: Trx,
  id: string,
  { address, verified }: { address: string; verified: boolean },
): Promise<void> {
  const session = await sessionToChange(trx, id);
  // The visitor may have confirmed another address during the check.
  if (session.email !== address) return;
  await updateEmail(trx, id, { address, verified, metadata: session.metadata });
  if (session.settledAt !== null) await updateExportRow(trx, session, { email_verified: verified });
}

export type EndReason =
  | "visitor_ended"
  | "agent_ended"
  | "silence"
  | "max_duration"
  | "max_cost"
  | "visitor_gone"
  | "server_fault"
  /** Used by imports, whose sessions ended in an earlier system. */
  | "imported";

/**
 * Ends the conversation. If the visitor said nothing, the session is settled as `abandoned` at
 * once; otherwise its evaluation is due, and the job for it is sent in this transaction. Ending
 * twice changes nothing.
 */
export async function endSession(
  trx: Trx,
  jobs: JobSender,
  id: string,
  end: { reason: EndReason; visitorLastSeenAt?: Date; evaluateWithinSecs?: number },
): Promise<"abandoned" | "evaluation_due" | "ended_before"> {
  const spoke = await markEnded(trx, id, {
    reason: end.reason,
    visitorLastSeenAt: end.visitorLastSeenAt,
    evaluateWithinSecs: end.evaluateWithinSecs ?? EVALUATE_WITHIN_SECS,
  });
  if (spoke === undefined) {
    await sessionToChange(trx, id);
    return "ended_before";
  }
  if (spoke) {
    const priority = await evaluationPriority(trx, id);
    await jobs.send(trx, sessionEnded, [{ sessionId: id }], { priority });
    return "evaluation_due";
  }
  await settleSession(trx, id, { status: "abandoned" });
  return "abandoned";
}

/** Undefined for a session that never existed, has been erased, or is still going on. */
export async function readEndedSession(
  db: Db | Trx,
  id: string,
): Promise<EndedSession | undefined> {
  return selectEnded(db, id);
}

export type Settlement = (
  | { status: "abandoned" }
  | { status: "processed"; summary: string | undefined; evaluation: Evaluation }
  /** `overdue` when the evaluation was late; otherwise why it failed. */
  | { status: "error"; reason: string }
) & {
  /** The turns, if the caller has already read them. */
  turns?: Turn[];
};

/**
 * Settles an ended session, or writes a new evaluation to a settled one, together with the export
 * row, which it returns. A failed re-evaluation changes nothing. Test sessions have no export row.
 */
export async function settleSession(
  trx: Trx,
  id: string,
  settlement: Settlement,
): Promise<ExportedSession | undefined> {
  const judged =
    settlement.status === "processed"
      ? {
          summary: textColumn(settlement.summary && storable(settlement.summary)),
          evaluation: evaluationColumn(settlement.evaluation),
        }
      : { summary: null, evaluation: null };
  const turns = settlement.turns ?? (await selectTurns(trx, id));
  const settled = await settle(trx, id, {
    status: settlement.status,
    errorReason: settlement.status === "error" ? settlement.reason : null,
    transcript: transcriptColumn(turns),
    ...judged,
  });
  if (settled !== undefined) return settled.exported;
  const { endedAt } = await sessionToChange(trx, id);
  if (endedAt !== null) return undefined;
  throw new AppError("conflict", {
    what: `Session ${id} cannot be settled.`,
    why: "Its conversation is still going on.",
    fix: "End it first.",
  });
}

async function sessionToChange(trx: Trx, id: string): Promise<SessionRow> {
  const session = await lockSession(trx, id);
  if (session === undefined) {
    throw new AppError("not_found", {
      what: `There is no session ${id}.`,
      why: "It never existed, or it has been erased.",
      fix: "Check the id.",
    });
  }
  return session;
}

/** Below the priority of sessions that hold back the export: for imported and for settled ones. */
export const BEHIND_LIVE = -1_001;

/**
 * The priority of a session's evaluation: the more of its account wait already, the lower. So the backlog of one account
 * does not hold back the first sessions of another.
 */
export async function evaluationPriority(trx: Trx, id: string): Promise<number> {
  return -(await countWaiting(trx, id));
}

/** A conversation has ended and its evaluation is due. Sent by the transaction that ends it. */
export const sessionEnded: Job<{ sessionId: string }> = defineJob({
  name: "session-ended",
  payload: z.strictObject({ sessionId: z.uuid() }),
  // Five minutes for an evaluation, and time to record that it failed.
  expireInSecs: 330,
});

/**
 * Checks whether the domain of the session's address accepts mail. Sent by the transaction that
 * stores the address, and again while nobody answers. The address itself is not in the payload: it
 * stays in the session, where it can be erased.
 */
export const checkDomain: Job<{ sessionId: string; timesAsked: number }> = defineJob({
  name: "check-domain",
  payload: z.strictObject({ sessionId: z.uuid(), timesAsked: z.int().nonnegative() }),
  expireInSecs: 30,
});
