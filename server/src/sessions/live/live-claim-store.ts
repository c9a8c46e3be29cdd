import type { AgentVersion } from "#agents";
import type { Db, Trx } from "#platform";
import type { AgentMode, LiveHello, Metadata } from "@svc/contract/types";
import { sql } from "kysely";
import type { TakenPlace } from "../visits/admit-visit.ts";
import type { Scene } from "../record/scene.ts";
import type { Credential, Credentials } from "./credentials.ts";

/** A request to open a session's socket, with the ticket of its start or with a resume token. */
export interface LiveClaim {
  sessionId: string;
  /** The `live` process that would run the session. */
  processId: string;
  credential: Credential;
  /** The header of the socket; undefined where it has none. */
  origin?: string | undefined;
  /** What the visitor's browser was playing when it lost the process before. */
  playing?: LiveHello["playing"];
  /** Says whether the process has a place for the account; absent where it has. */
  mayTake?(accountId: number): boolean;
}

/** A session that this process now runs, with everything that was said in it so far. */
export interface ClaimedSession extends TakenPlace {
  id: string;
  createdAt: Date;
  accountId: number;
  agent: AgentVersion;
  test: boolean;
  language: string;
  mode: AgentMode;
  metadata: Metadata;
  maxMinutes: number;
  /** The W3C trace context of its start; null where that was not traced. */
  traceparent: string | null;
  /** Since the visitor first connected. */
  talkedMs: number;
  /** Sent with every write. A write with an older epoch is refused. */
  epoch: number;
  /**
   * For the next claim. Until it is used, the credential of this claim stays valid too, because the
   * token may be lost on its way to the visitor.
   */
  resumeToken: string;
  turns: ClaimedTurn[];
  events: { kind: string; detail: Record<string, unknown> }[];
  /** How it stood when its last process stored something; undefined for a conversation that begins. */
  scene: Scene | undefined;
  /** What was said in the conversation that the visitor goes on from. */
  before: Pick<ClaimedSession, "turns" | "events"> | undefined;
}

export interface ClaimedTurn {
  id: string;
  role: "user" | "assistant";
  content: string;
  interrupted: boolean;
  at: Date;
}

export interface VisitRow extends Credentials {
  session: Omit<
    ClaimedSession,
    "agent" | "epoch" | "resumeToken" | "turns" | "events" | "before" | "scene"
  >;
  agent: ClaimedSession["agent"];
  ended: boolean;
  /** Now or before. */
  connected: boolean;
  ticketHolds: boolean;
  /** The origin of the page that started it. */
  origin: string | null;
  processId: string | null;
  scene: Scene | null;
}

/** Locks the visit and then its session: every writer of a live session locks them in this order. */
export async function lockVisit(trx: Trx, sessionId: string): Promise<VisitRow | undefined> {
  const { rows } = await sql<
    VisitRow["session"] & VisitRow["agent"] & Omit<VisitRow, "session" | "agent">
  >`
    SELECT s.id, s.created_at AS "createdAt", s.account_id AS "accountId", s.agent_id AS "agentId",
      s.agent_version AS version, s.test, s.metadata, s.traceparent, coalesce(s.mode, 'text') AS mode,
      coalesce(s.language, a.config->>'defaultLanguage') AS language,
      (a.config#>>'{limits,maxMinutes}')::double precision AS "maxMinutes",
      coalesce(1000 * extract(epoch FROM clock_timestamp() - s.connected_at), 0)::double precision AS "talkedMs",
      s.ended_at IS NOT NULL AS ended, s.connected_at IS NOT NULL AS connected, v.ticket_hash AS "ticketHash",
      coalesce(v.ticket_until > clock_timestamp(), false) AS "ticketHolds",
      v.resume_hash AS "resumeHash", v.previous_hash AS "previousHash", v.process_id AS "processId",
      v.origin, v.scene
    FROM visits AS v
    JOIN sessions AS s ON s.id = v.session_id
    JOIN agent_versions AS a ON a.agent_id = s.agent_id AND a.version = s.agent_version
    WHERE v.session_id = ${sessionId}
    FOR NO KEY UPDATE OF v, s`.execute(trx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { agentId, version, ended, connected, ...more } = row;
  const { ticketHash, ticketHolds, resumeHash, previousHash, ...rest } = more;
  const { processId, origin, scene, ...session } = rest;
  const agent = { agentId, version };
  const credentials = { ticketHash, ticketHolds, resumeHash, previousHash };
  return { session, agent, ended, connected, ...credentials, processId, origin, scene };
}

/** Stores the credentials after the claim, and increments the epoch when another process takes over. */
export async function updateVisit(
  trx: Trx,
  { sessionId, processId }: LiveClaim,
  { ticketHash, resumeHash, previousHash }: Credentials,
): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`
    UPDATE visits SET ticket_hash = ${ticketHash}, resume_hash = ${resumeHash}, previous_hash = ${previousHash}, process_id = ${processId},
      epoch = epoch + (process_id IS DISTINCT FROM ${processId})::integer
    WHERE session_id = ${sessionId}
    RETURNING epoch`.execute(trx);
  return rows[0]!.epoch;
}

/** Of the conversation, as long as its token is still this one. */
export async function updateCredentials(
  db: Db,
  sessionId: string,
  { ticketHash, resumeHash, previousHash }: Credentials,
): Promise<void> {
  await sql`
    UPDATE visits SET ticket_hash = ${ticketHash}, previous_hash = ${previousHash}
    WHERE session_id = ${sessionId} AND resume_hash = ${resumeHash} AND (ticket_hash IS NOT NULL OR previous_hash IS NOT NULL)`.execute(
    db,
  );
}

type Place = { id: string; createdAt: Date };

export async function selectSpoken(trx: Trx, session: Place): Promise<ClaimedTurn[]> {
  const { rows } = await sql<ClaimedTurn>`
    SELECT item_id AS id, role, content, interrupted, at FROM turns
    WHERE session_at = ${session.createdAt} AND session_id = ${session.id}
    ORDER BY seq`.execute(trx);
  return rows;
}

export async function selectPast(trx: Trx, session: Place): Promise<ClaimedSession["events"]> {
  const { rows } = await sql<ClaimedSession["events"][number]>`
    SELECT kind, detail FROM session_events
    WHERE session_at = ${session.createdAt} AND session_id = ${session.id}
    ORDER BY seq`.execute(trx);
  return rows;
}

/** What was said in the session that the visitor goes on from; undefined for a visit of its own. */
export async function selectBefore(trx: Trx, sessionId: string): Promise<ClaimedSession["before"]> {
  const { rows } = await sql<Place>`
    SELECT earlier.id, earlier.created_at AS "createdAt"
    FROM visits JOIN sessions AS earlier ON earlier.id = visits.continues
    WHERE visits.session_id = ${sessionId}`.execute(trx);
  const [earlier] = rows;
  if (earlier === undefined) return undefined;
  return { turns: await selectSpoken(trx, earlier), events: await selectPast(trx, earlier) };
}
