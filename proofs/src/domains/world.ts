import { setTimeout as delay } from "node:timers/promises";
import type { Session } from "@svc/contract/types";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import { addCustomer, addReceiver, end, say, start, startScriptedDns } from "@svc/server/testing";
import type {
  Customer,
  DnsAnswer,
  DnsQuestion,
  ScriptedDns,
  TestDatabase,
} from "@svc/server/testing";
import { talk } from "../pipeline/talks.ts";
import type { Stage } from "../stage/stage.ts";
import { ODD_DOMAIN } from "./domain-cases.ts";
import type { Zone } from "./domain-cases.ts";

/** Names below it are good, each a domain of its own. */
export const GOOD_DOMAIN = "good.test";
/** Names below it are never answered. */
export const HANGING_DOMAIN = "hanging.test";

export interface NameServer extends ScriptedDns {
  define(zone: Zone): void;
}

/** The server at work, a name server that it asks, and a receiver of its events. */
export interface World {
  database: TestDatabase;
  names: NameServer;
  /** A customer whose events come in here. */
  addCustomer(): Promise<Customer>;
  /** What the customer reads of these sessions, in the same order. */
  exported(customer: Customer, ids: string[]): Promise<(Partial<Session> | undefined)[]>;
  /** The session as its events had it. */
  events(id: string): Partial<Session>[];
}

export async function openWorld(
  stage: Stage,
  onEnd: (clean: () => unknown) => void,
): Promise<World> {
  const { database } = stage;
  const names = await startNameServer();
  onEnd(() => names.close());
  const model = await startLanguageModel();
  onEnd(() => model.close());
  const receiver = await startWebhookReceiver();
  onEnd(() => receiver.close());
  const server = await stage.startServer({
    SVC_ROLE: "all",
    SVC_SHUTDOWN_SECS: "1",
    SVC_MODEL_URL: model.baseUrl,
    SVC_EVALUATION_MODEL: "rehearsal",
    SVC_DNS_SERVERS: names.server,
    SVC_WEBHOOK_PLAIN_HTTP: "on",
    SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
  });
  return {
    database,
    names,
    addCustomer: async () => {
      const customer = await addCustomer(database.db);
      await addReceiver(database.db, customer, receiver.url);
      return customer;
    },
    exported: async ({ token }, ids) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${server.url}/v1/sessions.json`, { headers });
      const { items } = (await answer.json()) as { items: Partial<Session>[] };
      return ids.map((id) => items.find((item) => item.id === id));
    },
    events: (id) =>
      receiver
        .requests()
        .filter(({ sessionId }) => sessionId === id)
        .map(({ number }) => {
          const event = JSON.parse(String(receiver.content(number)?.body)) as { data: Session };
          return event.data;
        }),
  };
}

async function startNameServer(): Promise<NameServer> {
  const zone: Zone = {};
  function answer(question: DnsQuestion): DnsAnswer {
    const { name, type } = question;
    const isBelow = (domain: string): boolean => name === domain || name.endsWith(`.${domain}`);
    if (isBelow(HANGING_DOMAIN)) return "silence";
    if ([GOOD_DOMAIN, ODD_DOMAIN].some(isBelow)) {
      return type === "MX" ? [`10 mx.${GOOD_DOMAIN}`] : ["9.9.9.9"].filter(() => type === "A");
    }
    const records = zone[name];
    if (records === undefined) return "nxdomain";
    const said = records[type] ?? [];
    return typeof said === "function" ? said(question) : said;
  }
  const server = await startScriptedDns(answer);
  return {
    ...server,
    define: (more) => void Object.assign(zone, more),
  };
}

/** Plays a talk for each, with that address or with none. Returns their ids in the same order. */
export async function playAddresses(
  { db }: TestDatabase,
  customer: Customer,
  addresses: (string | undefined)[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, email] of addresses.entries()) {
    const session = await start(db, customer, email === undefined ? {} : { metadata: { email } });
    await say(db, session, talk(index));
    await end(db, session);
    ids.push(session.id);
  }
  return ids;
}

/** Waits until all of them are settled. Returns how long after its end each was, in milliseconds. */
export async function settledAfter(
  { pool }: TestDatabase,
  ids: string[],
): Promise<Map<string, number>> {
  for (;;) {
    const { rows } = await pool.query<{ id: string; ms: number }>(
      `SELECT id, extract(epoch FROM settled_at - ended_at)::float8 * 1000 AS ms
       FROM sessions WHERE id = ANY ($1) AND settled_at IS NOT NULL`,
      [ids],
    );
    if (rows.length === ids.length) return new Map(rows.map(({ id, ms }) => [id, ms]));
    await delay(100);
  }
}
