import { randomBytes } from "node:crypto";
import { normalOrigin } from "#agents";
import { hashToken, transact } from "#platform";
import type { Db } from "#platform";
import { storeCut } from "../record/scene.ts";
import { connectVisitor } from "../record/session.ts";
import { takePlace } from "../visits/admit-visit.ts";
import { afterClaim, afterFrame, opens } from "./credentials.ts";
import {
  lockVisit,
  updateCredentials,
  selectBefore,
  selectPast,
  selectSpoken,
  updateVisit,
} from "./live-claim-store.ts";
import type { ClaimedSession, LiveClaim } from "./live-claim-store.ts";

export type { LiveClaim, ClaimedSession, ClaimedTurn } from "./live-claim-store.ts";

/**
 * `refused` for what never was, is over, or opens to another credential: who tries ids learns nothing.
 * `full`: the agent talks to as many as it may, or its account does.
 */
export type ClaimRefusal = "refused" | "full";

/**
 * Claims a session for a process, from whichever had it: who holds the credential has lost that one. Nothing that the
 * process before still sends or stores counts from now on, and the turn that it was in the middle of is stored as far
 * as it was heard. The credential stays valid until the browser shows that it has the token that the claim returns
 * (`settleCredentials`): otherwise a lost welcome would end the conversation. A ticket is valid for a minute at
 * most, and nothing is after the end.
 */
export async function claimSession(
  db: Db,
  claim: LiveClaim,
): Promise<ClaimedSession | ClaimRefusal> {
  return transact(db, async (trx) => {
    const visit = await lockVisit(trx, claim.sessionId);
    const isOpen =
      visit !== undefined &&
      !visit.ended &&
      isOwnOrigin(claim.origin, visit.origin) &&
      opens(claim.credential, visit, visit.ticketHolds);
    if (!isOpen) return "refused";
    if (claim.mayTake?.(visit.session.accountId) === false) return "full";
    const { session, agent, processId } = visit;
    const isMoved = processId !== null && processId !== claim.processId;
    const { speech, ...scene } = visit.scene ?? {};
    if (isMoved) await storeCut(trx, session, speech, claim.playing);
    const turns = await selectSpoken(trx, session);
    const events = await selectPast(trx, session);
    const before = await selectBefore(trx, session.id);
    // Late, because the agent's other new visitors wait from here to the commit.
    const asked = { agentId: agent.agentId, test: session.test };
    const place = visit.connected ? {} : await takePlace(trx, asked);
    if (place === undefined) return "full";
    const resumeToken = randomBytes(32).toString("base64url");
    const credentials = afterClaim(claim.credential, visit, hashToken(resumeToken));
    const epoch = await updateVisit(trx, claim, credentials);
    await connectVisitor(trx, session.id, session.maxMinutes);
    const claimed = { ...session, ...place, agent, epoch, resumeToken, turns, events, before };
    return { ...claimed, scene: "mode" in scene ? scene : undefined };
  });
}

/** For the first frame behind a welcome. Nothing happens if another claim was faster. */
export async function settleCredentials(
  db: Db,
  { sessionId, resumeToken }: { sessionId: string; resumeToken: string },
): Promise<void> {
  const resumeHash = hashToken(resumeToken);
  const settled = afterFrame({ ticketHash: null, resumeHash, previousHash: null });
  await updateCredentials(db, sessionId, settled);
}

/** Only browsers are held to it: every other program writes the header as it likes. */
function isOwnOrigin(given: string | undefined, started: string | null): boolean {
  return given === undefined || started === null || normalOrigin(given) === started;
}
