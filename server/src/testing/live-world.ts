import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { plainConfig } from "#agents";
import type { AgentConfig } from "#agents";
import { hashToken } from "#platform";
import type { Db, JobSender } from "#platform";
import { renewPresence } from "#sessions";
import type { LiveProcess } from "#sessions";
import { LiveServerMessage } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import type { AgentMode, LiveWelcome } from "@svc/contract/types";
import { WebSocket } from "ws";
import { addCustomer, changeAccount, NO_START_LIMITS } from "./customer.ts";
import type { Customer } from "./customer.ts";
import type { TestDatabase } from "./database.ts";
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
  await changeAccount(database.db, customer, { limits: NO_START_LIMITS });
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

type Unnumbered<T> = T extends { seq: number } ? Omit<T, "seq"> : never;
type MessageOf<Type> = Extract<types.LiveServerMessage, { type: Type }>;

const PATIENCE_MS = 10_000;

/** A visitor's browser, as far as the protocol of live sessions knows it. */
export class LiveBrowser {
  readonly socket: WebSocket;
  /** Everything that it was told. */
  readonly messages: types.LiveServerMessage[] = [];
  closeCode: number | undefined;
  #seq = 0;

  private constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(url, "svc.live.v1", { headers });
    this.socket.on("message", (data, isBinary) => {
      if (isBinary) return;
      const text = (data as Buffer).toString();
      this.messages.push(LiveServerMessage.parse(JSON.parse(text)));
      this.socket.emit("change");
    });
    this.socket.on("close", (code) => {
      this.closeCode = code;
      this.socket.emit("change");
    });
    this.socket.on("error", () => {});
  }

  /** A socket that has said nothing yet; one that was refused is closed with 1006. */
  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveBrowser> {
    const browser = new LiveBrowser(url, headers);
    await new Promise((resolve) => browser.socket.once("open", resolve).once("close", resolve));
    return browser;
  }

  /** Sends a frame as it is given. */
  raw(frame: object | string | Buffer): void {
    const isPlain = typeof frame === "string" || Buffer.isBuffer(frame);
    this.socket.send(isPlain ? frame : JSON.stringify(frame));
  }

  /** Sends a message with the next number. */
  send(message: Unnumbered<types.LiveClientMessage>): void {
    this.raw({ ...message, seq: (this.#seq += 1) });
  }

  /** The highest number that has arrived. */
  get received(): number {
    return this.messages.reduce(
      (max, message) => Math.max(max, "seq" in message ? message.seq : 0),
      0,
    );
  }

  ping(): void {
    this.raw({ type: "ping", received: this.received });
  }

  async hello(
    sessionId: string,
    credential: { ticket: string } | { resume_token: string },
    received = 0,
    playing?: types.LiveHello["playing"],
  ): Promise<types.LiveWelcome> {
    const protocol = "svc.live.v1";
    const who = { session_id: sessionId, ...credential };
    this.raw({ type: "hello", protocol, received, ...who, ...(playing && { playing }) });
    const welcome = await this.first("welcome");
    this.#seq = welcome.received;
    return welcome;
  }

  all<Type extends types.LiveServerMessage["type"]>(type: Type): MessageOf<Type>[] {
    return this.messages.filter((message): message is MessageOf<Type> => message.type === type);
  }

  /** The first message of that type; fails when the socket closes before. */
  async first<Type extends types.LiveServerMessage["type"]>(
    type: Type,
    fits: (message: MessageOf<Type>) => boolean = () => true,
  ): Promise<MessageOf<Type>> {
    const find = (): MessageOf<Type> | undefined => this.all(type).find(fits);
    await this.until(type, () => find() !== undefined || this.closeCode !== undefined);
    const found = find();
    if (found === undefined) throw new Error(`closed with ${this.closeCode}`);
    return found;
  }

  /** The code that it was closed with. */
  async closed(): Promise<number> {
    await this.until("close", () => this.closeCode !== undefined);
    return this.closeCode!;
  }

  /** Looks again whenever something arrives. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!isSo()) {
      await once(this.socket, "change", { signal }).catch(() => {
        const told = this.messages.map(({ type }) => type).join(", ");
        throw new Error(`no ${what} in ${PATIENCE_MS} ms; told ${told}`);
      });
    }
  }
}
