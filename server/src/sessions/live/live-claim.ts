import { randomBytes, timingSafeEqual } from "node:crypto";
import { hashToken, transact } from "#platform";
import type { Db } from "#platform";
import { storeCut } from "../record/scene.ts";
import { connectVisitor } from "../record/session.ts";
import { takePlace } from "../visits/admit-visit.ts";
import {
  lockVisit,
  selectBefore,
  selectPast,
  selectSpoken,
  updateVisit,
} from "./live-claim-store.ts";
import type { ClaimedSession, LiveClaim, VisitRow } from "./live-claim-store.ts";

export type { LiveClaim, ClaimedSession, ClaimedTurn } from "./live-claim-store.ts";

/** `full`: the agent talks to as many as it may, or its account does. */
export type ClaimRefusal = "refused" | "over" | "full";

/**
 * Claims a session for a process, from whichever had it: who holds the credential has lost that one. Nothing that the
 * process before still sends or stores counts from now on, and the turn that it was in the middle of is stored as far
 * as it was heard. The credential stays valid until the token that the claim returns
 * is used: otherwise a lost welcome would end the conversation. A ticket is valid for a minute at
 * most, and nothing is after the end.
 */
export async function claimSession(
  db: Db,
  claim: LiveClaim,
): Promise<ClaimedSession | ClaimRefusal> {
  return transact(db, async (trx) => {
    const visit = await lockVisit(trx, claim.sessionId);
    if (visit === undefined) return "refused";
    if (visit.ended) return "over";
    if (!opens(claim.credential, visit)) return "refused";
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
    const epoch = await updateVisit(trx, claim, hashToken(resumeToken));
    await connectVisitor(trx, session.id, session.maxMinutes);
    const claimed = { ...session, ...place, agent, epoch, resumeToken, turns, events, before };
    return { ...claimed, scene: "mode" in scene ? scene : undefined };
  });
}

function opens(credential: LiveClaim["credential"], visit: VisitRow): boolean {
  if ("ticket" in credential)
    return visit.ticketHolds && isHashOf(visit.ticketHash, credential.ticket);
  const { resumeToken } = credential;
  return isHashOf(visit.resumeHash, resumeToken) || isHashOf(visit.previousHash, resumeToken);
}

function isHashOf(hash: Buffer | null, token: string): boolean {
  return hash !== null && timingSafeEqual(hash, hashToken(token));
}
