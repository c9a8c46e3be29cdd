import { createHash, randomBytes } from "node:crypto";
import { findStartableAgent, matchLanguage, noticeIn } from "#agents";
import type { StartableAgent } from "#agents";
import { hashToken, storable } from "#platform";
import type { Db, JobSender, Trx } from "#platform";
import type {
  AgentMode,
  DeviceKind,
  FunnelEntry,
  RefusalReason,
  StartChallenge,
} from "@svc/contract/types";
import { endSession, startSession } from "../record/session.ts";
import type { ConsentReceipt } from "../record/store.ts";
import {
  agentPlaces,
  brokenAddressLimit,
  brokenLimit,
  brokenTestLimit,
  dayCap,
  looksLikeFlood,
  warnedAt,
} from "./visit-limits.ts";
import {
  countConnected,
  incrementStarts,
  insertVisit,
  lockAccountClock,
  lockAgent,
  lockOldestUnconnected,
  renewTicket,
  selectContinued,
  selectTestCounts,
  selectVisit,
  selectVisitCounts,
} from "./visit-store.ts";
import type { TestReason } from "./visit-store.ts";

/** A visitor and the agent they want to talk to. */
export interface Visitor {
  /** The agent's id or the account's client id, as the page names it. */
  agent: string;
  /** The origin of the page; `null` when the browser does not send it. */
  origin: string | null;
  /** In the form that limits count. */
  address: string;
  /** Starts a test session from any page, and of a paused agent. */
  previewToken?: string | undefined;
}

/** A visitor who accepted the notice. */
export interface VisitStart extends Visitor {
  /**
   * The idempotency key (`start_key` on the wire), created at the visitor's click. A retry with the
   * same key returns the session that the first request started, so a lost answer starts no second one.
   */
  idempotencyKey: string;
  /** A hash of the request, to detect another request with the same key. */
  requestSha256: Buffer;
  mode: AgentMode;
  language: string;
  metadata: Record<string, unknown>;
  page: string;
  entry?: FunnelEntry | undefined;
  device?: DeviceKind | undefined;
  notice: Omit<ConsentReceipt, "servedSha256" | "recipientsSha256">;
  /** The conversation that the visitor goes on from. One that does not hold is passed over. */
  continues?: { sessionId: string; resumeToken: string } | undefined;
  /** The visitor leaves an address because they found no place: the session is over at once. */
  withoutCall?: boolean;
  /** Of the challenge that an earlier request with this key was answered with. */
  challengeSolution?: string | undefined;
  /** The W3C trace context of the request, where it is traced. */
  traceparent?: string | undefined;
  /** The latest time that may be stored as its start. */
  latestMs?: number | undefined;
}

export type VisitOutcome =
  | { sessionId: string; ticket: string; testReason: TestReason | null; isNew: boolean }
  | { refused: RefusalReason | "conflict" | "ended" }
  | { challenge: StartChallenge }
  | { invalid: "mode" };

/** The time for which a ticket can open the session's socket. */
const TICKET_SECS = 60;

/**
 * Starts a visitor's session unless a limit is reached. Limits are exact, because all other starts
 * of the account wait for the commit.
 */
export async function admitVisit(
  trx: Trx,
  jobs: JobSender,
  agent: StartableAgent,
  start: VisitStart & Pick<ConsentReceipt, "recipientsSha256">,
  testReason: TestReason | null,
): Promise<VisitOutcome> {
  const { accountId, agentId, config } = agent;
  const { idempotencyKey, requestSha256, address, mode, metadata, notice } = start;
  await lockAccountClock(trx, accountId);
  const known = await startedBefore(trx, agent, start);
  if (known !== undefined) return known;
  const { refused } = await checkLimits(trx, agent, start, testReason);
  if (refused !== null) return { refused };
  if (testReason === null) await makeRoom(trx, jobs, agent);
  const language = matchLanguage(start.language, config);
  const served = noticeIn(config, notice.language);
  const { id: sessionId } = await startSession(trx, jobs, {
    accountId,
    agent,
    test: testReason !== null,
    metadata,
    latestMs: start.latestMs,
    visit: {
      language,
      mode,
      page: storable(start.page),
      entry: start.entry,
      device: start.device,
      notice: {
        ...notice,
        servedSha256: createHash("sha256").update(served).digest(),
        recipientsSha256: start.recipientsSha256,
      },
      traceparent: start.traceparent,
    },
  });
  const ticket = newTicket();
  const ticketHash = hashToken(ticket);
  const continues =
    start.continues &&
    (await selectContinued(trx, agentId, {
      sessionId: start.continues.sessionId,
      continueHash: hashToken(start.continues.resumeToken),
    }));
  await insertVisit(
    trx,
    {
      sessionId,
      accountId,
      agentId,
      idempotencyKey,
      requestSha256,
      testReason,
      address,
      origin: start.origin,
      ticketHash,
      continues,
    },
    TICKET_SECS,
  );
  if (start.withoutCall === true)
    await endSession(trx, jobs, sessionId, { reason: "visitor_ended" });
  return { sessionId, ticket, testReason, isNew: true };
}

/** Ends the oldest starts that nobody connected to, where one more would exceed their number. */
async function makeRoom(
  trx: Trx,
  jobs: JobSender,
  { agentId, accountLimits }: StartableAgent,
): Promise<void> {
  const { unconnected_per_agent: limit } = accountLimits;
  if (limit === null) return;
  for (const id of await lockOldestUnconnected(trx, agentId, limit - 1))
    await endSession(trx, jobs, id, { reason: "visitor_gone" });
}

/** A place at an agent. `nearCap` comes with one start of a day: the one that reaches 80 % of the day's cap. */
export interface TakenPlace {
  nearCap?: { starts: number; cap: number };
}

/**
 * Takes one of the agent's places for a visitor who connects for the first time, and counts the
 * start for the day. Undefined when all places are taken. Exact, because the agent's other visitors
 * wait for the commit. Test sessions were counted when they started.
 */
export async function takePlace(
  trx: Trx,
  { agentId, test }: { agentId: string; test: boolean },
): Promise<TakenPlace | undefined> {
  if (test) return {};
  const agent = await findStartableAgent(trx, agentId);
  await lockAgent(trx, agentId);
  if (agent !== undefined && (await countConnected(trx, agentId)) >= agentPlaces(agent))
    return undefined;
  const starts = await incrementStarts(trx, agentId);
  const cap = agent === undefined ? Infinity : dayCap(agent);
  return starts === warnedAt(cap) ? { nearCap: { starts, cap } } : {};
}

/** Returns the session that this idempotency key started before, with a new ticket, until its page has connected. */
export async function startedBefore(
  db: Db | Trx,
  { agentId }: StartableAgent,
  { idempotencyKey, requestSha256, origin }: VisitStart,
): Promise<VisitOutcome | undefined> {
  const known = await selectVisit(db, agentId, idempotencyKey);
  if (known === undefined) return undefined;
  const isOtherPage = origin !== null && known.origin !== null && origin !== known.origin;
  if (isOtherPage || !known.requestSha256.equals(requestSha256)) return { refused: "conflict" };
  const { sessionId, testReason } = known;
  const ticket = newTicket();
  const renewed = await renewTicket(db, sessionId, hashToken(ticket), TICKET_SECS);
  return renewed ? { sessionId, ticket, testReason, isNew: false } : { refused: "ended" };
}

/** What the limits say of one more start. */
export interface LimitsCheck {
  refused: RefusalReason | null;
  /** Never of test sessions. */
  isFlood: boolean;
}

export async function checkLimits(
  db: Db | Trx,
  agent: StartableAgent,
  { address, withoutCall }: Visitor & Pick<VisitStart, "withoutCall">,
  testReason: TestReason | null,
): Promise<LimitsCheck> {
  const { accountId, agentId } = agent;
  if (testReason !== null) {
    const tests = await selectTestCounts(db, { accountId, agentId });
    return { refused: brokenTestLimit(agent, tests), isFlood: false };
  }
  const counts = await selectVisitCounts(db, { accountId, agentId, address });
  // An address costs next to nothing to leave, so a script has to pay for each with a solved challenge.
  if (withoutCall === true) return { refused: brokenAddressLimit(agent, counts), isFlood: true };
  return { refused: brokenLimit(agent, counts), isFlood: looksLikeFlood(agent, counts) };
}

function newTicket(): string {
  return randomBytes(32).toString("base64url");
}
