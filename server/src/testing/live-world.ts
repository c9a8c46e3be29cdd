import { randomBytes, randomUUID } from "node:crypto";
import { plainConfig } from "#agents";
import type { AgentConfig } from "#agents";
import { hashToken } from "#platform";
import type { Db, JobSender } from "#platform";
import { renewPresence } from "#sessions";
import type { LiveProcess } from "#sessions";
import type { AgentMode, LiveWelcome } from "@svc/contract/types";
import { addCustomer } from "./customer.ts";
import type { Customer } from "./customer.ts";
import type { TestDatabase } from "./database.ts";
import { LiveBrowser } from "./live-browser.ts";
import { jobSenderOf } from "./platform-doubles.ts";
import { start } from "./play-session.ts";

/** What a conversation needs around it: a customer's agent, and visitors who have started. */
export interface LiveWorld {
  db: Db;
  jobs: JobSender;
  customer: Customer;
  config: AgentConfig;
  /** By typing unless told. */
  visit(mode?: AgentMode): Promise<Visit>;
  /** Visits, opens the socket and is welcomed. */
  enter(url: string): Promise<{ id: string; browser: LiveBrowser; welcome: LiveWelcome }>;
}

/** A session that somebody has started, and the ticket for its socket. */
export interface Visit {
  id: string;
  ticket: string;
}

export async function createLiveWorld(
  database: TestDatabase,
  agent: Partial<AgentConfig> = {},
): Promise<LiveWorld> {
  const customer = await addCustomer(database.db, { agent });
  return {
    db: database.db,
    jobs: jobSenderOf(database.db),
    customer,
    config: { ...plainConfig("Guide"), ...agent },
    visit: (mode = "text") => visit(database, customer, mode),
    enter: async (url) => {
      const { id, ticket } = await visit(database, customer, "text");
      const browser = await LiveBrowser.open(url);
      return { id, browser, welcome: await browser.hello(id, { ticket }) };
    },
  };
}

async function visit(
  { db, pool }: TestDatabase,
  customer: Customer,
  mode: AgentMode,
): Promise<Visit> {
  const { id } = await start(db, customer);
  await pool.query("UPDATE sessions SET mode = $2 WHERE id = $1", [id, mode]);
  const ticket = randomBytes(32).toString("base64url");
  await pool.query(
    `INSERT INTO visits (session_id, account_id, agent_id, start_key, request_sha256, address, ticket_hash, ticket_until)
     VALUES ($1, $2, $3, $4, '\\x00', '192.0.2.1', $5, clock_timestamp() + interval '60 seconds')`,
    [id, customer.account.id, customer.agent.agentId, randomUUID(), hashToken(ticket)],
  );
  return { id, ticket };
}

/** Says that a `live` process is there, as it would itself every few seconds: sessions may be started. */
export async function announceLive(
  db: Db,
  process: Partial<LiveProcess> = {},
): Promise<LiveProcess> {
  const announced: LiveProcess = {
    id: randomUUID(),
    sessions: 0,
    capacity: 10_000,
    draining: false,
    modelAnswers: true,
    speechAnswers: true,
    ...process,
  };
  await renewPresence(db, announced);
  return announced;
}
