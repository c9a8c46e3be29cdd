import { randomBytes, timingSafeEqual } from "node:crypto";
import { hashToken, transact } from "#platform";
import type { Db } from "#platform";
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

/** `elsewhere`: another process runs the conversation, or did until it died. `full`: the agent talks to as many as it may, or its account does. */
export type ClaimRefusal = "refused" | "over" | "elsewhere" | "full";

/**
 * Claims a session for a process. The credential stays valid until the token that the claim returns
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
    if (visit.processId !== null && visit.processId !== claim.processId) return "elsewhere";
    if (claim.mayTake?.(visit.session.accountId) === false) return "full";
    const { session, agent } = visit;
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
    return { ...session, ...place, agent, epoch, resumeToken, turns, events, before };
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
