import type { AgentVersion } from "#agents";
import { AppError, newSessionId } from "#platform";
import type { Trx } from "#platform";
import type { Evaluation } from "@svc/contract/types";
import { normalizeEmail } from "./email.ts";
import { normalizeMetadata } from "./metadata.ts";
import {
  evaluationColumn,
  metadataColumn,
  textColumn,
  transcriptColumn,
} from "./session-object.ts";
import type { Turn } from "./session-object.ts";
import { storable } from "./storable-text.ts";
import {
  insertExportRow,
  insertSession,
  insertTurn,
  lockSession,
  selectTurns,
  updateEmail,
  updateEnded,
  updateExportRow,
  updateSettled,
} from "./store.ts";
import type { SessionRow } from "./store.ts";

/** A visitor whose socket has not opened by then has left. */
const CONNECT_WITHIN_SECS = 60;
/** Crashes and backlog included; past it the session settles as `error` and the evaluation goes on as a re-evaluation. */
const EVALUATE_WITHIN_SECS = 300;

export interface StartedSession {
  id: string;
  createdAt: Date;
}

/**
 * Starts a session. Call it last in its transaction: it locks the account's clock, and every
 * other start of the account waits for the commit.
 */
export async function startSession(
  trx: Trx,
  start: {
    accountId: number;
    agent: AgentVersion;
    test: boolean;
    metadata: Record<string, unknown>;
  },
): Promise<StartedSession> {
  const id = newSessionId();
  const metadata = normalizeMetadata(start.metadata);
  const createdAt = await insertSession(
    trx,
    {
      id,
      accountId: start.accountId,
      agentId: start.agent.agentId,
      agentVersion: start.agent.version,
      test: start.test,
      metadata,
      email: Object.hasOwn(metadata, "email") ? normalizeEmail(metadata["email"]!) : undefined,
    },
    CONNECT_WITHIN_SECS,
  );
  return { id, createdAt };
}

/** Stores a turn as it was heard. A turn of which nothing was heard leaves no entry. */
export async function addTurn(
  trx: Trx,
  session: StartedSession,
  turn: Turn & { itemId: string; at: Date },
): Promise<void> {
  const content = storable(turn.content);
  if (content.trim() !== "") await insertTurn(trx, session, { ...turn, content });
}

/** An address the visitor confirmed. The latest one wins, in `email` and in `metadata.email`. */
export async function confirmEmail(trx: Trx, id: string, input: string): Promise<void> {
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
  await updateEmail(trx, id, { address, verified: null, metadata });
  if (session.settledAt !== null) {
    const change = { email: address, email_verified: null, metadata: metadataColumn(metadata) };
    await updateExportRow(trx, session, change);
  }
}

/** What the address's domain answered. A late answer rewrites the export row and fires nothing. */
export async function setEmailVerified(
  trx: Trx,
  id: string,
  { address, verified }: { address: string; verified: boolean },
): Promise<void> {
  const session = await sessionToChange(trx, id);
  // The visitor may have confirmed another address while this one's domain was being asked.
  if (session.email !== address) return;
  await updateEmail(trx, id, { address, verified, metadata: session.metadata });
  if (session.settledAt !== null) await updateExportRow(trx, session, { email_verified: verified });
}

export type EndReason =
  | "visitor_ended"
  | "agent_ended"
  | "silence"
  | "max_duration"
  | "visitor_gone"
  | "server_fault"
  /** By an import, whose session ended in an earlier system. */
  | "imported";

/**
 * Ends the conversation. Without a word from the visitor the session is settled as `abandoned`
 * at once; otherwise its evaluation is due. Ending twice changes nothing.
 */
export async function endSession(
  trx: Trx,
  id: string,
  end: { reason: EndReason; visitorLastSeenAt?: Date },
): Promise<"abandoned" | "evaluation_due" | "ended_before"> {
  const session = await sessionToChange(trx, id);
  if (session.endedAt !== null) return "ended_before";
  const turns = await selectTurns(trx, session);
  const spoke = turns.some((turn) => turn.role === "user");
  await updateEnded(trx, id, {
    reason: end.reason,
    durationSecs: durationSecs(turns, end.visitorLastSeenAt),
    evaluateWithinSecs: spoke ? EVALUATE_WITHIN_SECS : undefined,
  });
  if (spoke) return "evaluation_due";
  await settleSession(trx, id, { status: "abandoned" });
  return "abandoned";
}

/** First turn to the last sign of the visitor. */
function durationSecs(
  turns: { role: Turn["role"]; at: Date }[],
  visitorLastSeenAt: Date | undefined,
): number | undefined {
  const first = turns[0]?.at;
  const last = visitorLastSeenAt ?? turns.findLast((turn) => turn.role === "user")?.at;
  if (first === undefined || last === undefined) return undefined;
  return Math.max(0, Math.floor((last.getTime() - first.getTime()) / 1_000));
}

export type Settlement =
  | { status: "abandoned" }
  | { status: "processed"; summary: string; evaluation: Evaluation }
  | { status: "error" };

/**
 * Settles an ended session, or writes a new evaluation to a settled one, and with it the row
 * that the export reads. A failed re-evaluation leaves everything as it was. Test sessions get
 * no export row.
 */
export async function settleSession(trx: Trx, id: string, settlement: Settlement): Promise<void> {
  const session = await sessionToChange(trx, id);
  if (session.endedAt === null) {
    throw new AppError("conflict", {
      what: `Session ${id} cannot be settled.`,
      why: "Its conversation is still going on.",
      fix: "End it first.",
    });
  }
  const again = session.settledAt !== null;
  if (again && settlement.status !== "processed") return;

  await updateSettled(trx, id, settlement.status);
  if (session.test) return;
  const judged =
    settlement.status === "processed"
      ? {
          summary: textColumn(storable(settlement.summary)),
          evaluation: evaluationColumn(settlement.evaluation),
        }
      : { summary: null, evaluation: null };
  if (again) {
    await updateExportRow(trx, session, { status: settlement.status, ...judged });
  } else {
    await insertExportRow(trx, session, settlement.status, {
      metadata: metadataColumn(session.metadata),
      transcript: transcriptColumn(await selectTurns(trx, session)),
      ...judged,
    });
  }
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
