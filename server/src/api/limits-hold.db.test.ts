import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { addCustomer, announceLive, START_LIMITS, startServerProcess } from "#testing";
import type { ServerProcess, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import type { SdkErrorBody, SessionStarted, StartChallenge } from "@svc/contract/types";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/sha";
import { describe, expect, onTestFinished } from "vitest";

/** Each click is sent to both servers: twice as many requests at once. */
const CLICKS = 150;
const ADDRESSES = 12;
const CHALLENGING = { SVC_TRUSTED_PROXIES: "127.0.0.1" };
/** Without keys there are no challenges, and the limits alone decide. */
const TRUSTING = { ...CHALLENGING, SVC_SECRET_KEYS: "" };
/** As a programmer who thinks the lock superfluous would write the start. */
const FORGETFUL = {
  ...TRUSTING,
  NODE_OPTIONS: `--import ${new URL("../testing/forget-lock.ts", import.meta.url).href}`,
};

/** One limit, and how many of the clicks it lets through. */
interface Round {
  limit: string;
  account: Record<string, number>;
  /** The number of addresses that the clicks come from: `ADDRESSES` unless told. */
  addresses?: number;
  /** The number of sessions in all, and from each address where the limit is one of an address. */
  started: number;
  perAddress?: number;
  reason: "too_many_starts" | "daily_cap";
  /** What the agent has spent before, in millionths. */
  spentMicros?: number;
}

/** Two clicks from each address, of which one is let in: the two meet in two processes at the same moment. */
const PAIRS: Round = {
  limit: "at once from an address, in pairs",
  account: { at_once_per_address: 1 },
  addresses: CLICKS / 2,
  started: CLICKS / 2,
  perAddress: 1,
  reason: "too_many_starts",
};

const ROUNDS: Round[] = [
  {
    limit: "unconnected from a network",
    account: { unconnected_per_network: 25 },
    started: 25,
    reason: "too_many_starts",
  },
  {
    limit: "at once from an address",
    account: { at_once_per_address: 5 },
    started: 5 * ADDRESSES,
    perAddress: 5,
    reason: "too_many_starts",
  },
  {
    limit: "in a minute from an address",
    account: { starts_per_minute_per_address: 7 },
    started: 7 * ADDRESSES,
    perAddress: 7,
    reason: "too_many_starts",
  },
  {
    limit: "in a day",
    account: { daily_starts_per_agent: 33 },
    started: 33,
    reason: "daily_cap",
  },
  {
    limit: "of a day's money",
    account: { daily_cost_micros_per_agent: 1_000_000 },
    spentMicros: 1_000_000,
    started: 0,
    reason: "daily_cap",
  },
  PAIRS,
];

// A7, A8, K1, V4
describe("limits on new sessions", { timeout: 180_000 }, () => {
  databaseTest("hold to the last one through two processes at once", async ({ database }) => {
    const servers = await startServers(database, [TRUSTING, TRUSTING]);
    const urls = servers.map(({ url }) => url);
    for (const round of ROUNDS) {
      const agentId = await addAgent(database, round);
      const answers = await rush(urls, agentId, clicks(CLICKS, round.addresses));
      expect(await outcomeOf(database, agentId, answers), round.limit).toEqual(expected(round));
      const eligibility = await fetch(`${urls[0]}/sdk/v1/agents/${agentId}/eligibility`, {
        headers: { "x-forwarded-for": "203.0.113.1" },
      });
      expect(await eligibility.json(), round.limit).toMatchObject({ reason: round.reason });
    }
  });

  databaseTest("do not keep a running session's key from its session", async ({ database }) => {
    const [server, other] = await startServers(database, [TRUSTING, TRUSTING]);
    const [click] = clicks(1);
    const agentId = await addAgent(database, { account: { at_once_per_address: 1 } });
    const begun = await start(server!.url, agentId, click!);
    expect(begun.outcome).toBe("started");
    await database.pool.query(
      `UPDATE accounts SET limits = '{"daily_starts_per_agent": 1, "daily_cost_micros_per_agent": 1}'
       WHERE id = (SELECT account_id FROM agents WHERE id = $1)`,
      [agentId],
    );
    expect(await start(other!.url, agentId, click!)).toEqual(begun);
  });

  databaseTest("count a visitor who forges addresses as one", async ({ database }) => {
    // It trusts no proxy, so all clicks come from this machine.
    const [server] = await startServers(database, [{}]);
    const agentId = await addAgent(database, { account: { at_once_per_address: 5 } });
    const answers = await rush([server!.url], agentId, clicks(2 * CLICKS));
    const outcome = await outcomeOf(database, agentId, answers);
    expect(outcome).toMatchObject({ sessions: 5, byAddress: [5] });
  });

  databaseTest(
    "ask for a proof of work at half of a limit, once for each start",
    async ({ database }) => {
      const [server, other] = await startServers(database, [CHALLENGING, CHALLENGING]);
      const agentId = await addAgent(database, { account: { unconnected_per_network: 8 } });
      const [click, another, ...quiet] = clicks(6);
      for (const one of quiet) {
        expect(await start(server!.url, agentId, one)).toMatchObject({ outcome: "started" });
      }
      const { outcome, challenge } = await start(server!.url, agentId, click!);
      expect(outcome).toBe("too_many_starts");
      const solution = await solveChallenge({ challenge: challenge!, deriveKey });
      const solved = btoa(JSON.stringify({ challenge, solution }));
      // It is of no use to another start, and every process knows it.
      const stolen = await start(other!.url, agentId, { ...another!, solved });
      expect(stolen).toMatchObject({ outcome: "too_many_starts", challenge: expect.anything() });
      const begun = await start(other!.url, agentId, { ...click!, solved });
      expect(begun.outcome).toBe("started");
      expect(await start(server!.url, agentId, { ...click!, solved })).toEqual(begun);
      // The control: without challenges the same start is let in.
      const [unguarded] = await startServers(database, [TRUSTING]);
      expect(await start(unguarded!.url, agentId, another!)).toMatchObject({ outcome: "started" });
    },
  );

  // The control: these tests must be able to show a limit that does not hold.
  databaseTest("are exceeded by a process without the lock", async ({ database }) => {
    const [sound, forgetful] = await startServers(database, [TRUSTING, FORGETFUL]);
    const urls = [sound!.url, forgetful!.url];
    let over = 0;
    // Whether two requests meet is chance, so it takes some tries.
    for (let time = 0; time < 12 && over === 0; time++) {
      const agentId = await addAgent(database, PAIRS);
      const answers = await rush(urls, agentId, clicks(CLICKS, PAIRS.addresses));
      const outcome = await outcomeOf(database, agentId, answers);
      over = outcome.sessions - PAIRS.started;
      if (over > 0) expect(outcome).not.toEqual(expected(PAIRS));
    }
    expect(over).toBeGreaterThan(0);
    // A lock that is no longer found would be taken for one that is not needed.
    expect(forgetful!.log.filter(({ msg }) => msg === "lock removed")).not.toEqual([]);
  });
});

/** Starts a server for each environment, beside a live process that lets sessions in. */
async function startServers(
  database: TestDatabase,
  environments: Record<string, string>[],
): Promise<ServerProcess[]> {
  const live = await announceLive(database.db);
  // The last one may be under way when the database is dropped.
  const renew = (): Promise<unknown> => announceLive(database.db, live).catch(() => undefined);
  const renewing = setInterval(() => void renew(), 2_000);
  onTestFinished(() => clearInterval(renewing));
  const servers = environments.map((one) => startServerProcess(database, one));
  onTestFinished(async () => {
    for (const server of await Promise.all(servers)) await server.stop();
  });
  return Promise.all(servers);
}

/** An agent of an account of its own, for which no limit holds but those of the round. */
async function addAgent(
  { db, pool }: TestDatabase,
  round: Pick<Round, "account" | "spentMicros">,
): Promise<string> {
  const { account, agent } = await addCustomer(db);
  const lifted = Object.fromEntries(START_LIMITS.map((name) => [name, null]));
  await pool.query("UPDATE accounts SET limits = $2 WHERE id = $1", [
    account.id,
    JSON.stringify({ ...lifted, ...round.account }),
  ]);
  if (round.spentMicros !== undefined) {
    await pool.query(
      `INSERT INTO agent_days (agent_id, day, cost_micros)
       VALUES ($1, (now() AT TIME ZONE 'UTC')::date, $2)`,
      [agent.agentId, round.spentMicros],
    );
  }
  return agent.agentId;
}

/** A visitor who clicks once: a key, and the address that the proxy in front saw. */
interface Click {
  key: string;
  address: string;
  solved?: string;
}

function clicks(count: number, addresses = ADDRESSES): Click[] {
  return Array.from({ length: count }, (_, n) => ({
    key: randomUUID(),
    address: `203.0.113.${1 + (n % addresses)}`,
  }));
}

/** What became of one request to start. */
interface Answer {
  key: string;
  /** `started`, or the reason why not. */
  outcome: string;
  sessionId?: string;
  challenge?: StartChallenge;
}

/**
 * Sends every click to every server, all at the same moment, and to each server in another order, so
 * that clicks of one address meet.
 */
async function rush(urls: string[], agentId: string, all: Click[]): Promise<Answer[]> {
  return Promise.all(
    urls.flatMap((url, index) => {
      const first = Math.floor((index * all.length) / urls.length);
      const order = [...all.slice(first), ...all.slice(0, first)];
      return order.map((click) => start(url, agentId, click));
    }),
  );
}

/** Counts up, so that every click claims another address. */
let forged = 0;

/** Asks again while the server has no connection to its database to spare, as a browser does. */
async function start(url: string, agentId: string, click: Click): Promise<Answer> {
  const { key, address, solved } = click;
  const body = JSON.stringify({
    agent_id: agentId,
    start_key: key,
    mode: "text",
    language: "en",
    metadata: { plan: "pro" },
    page: "https://www.example.com/",
    notice: { text: "An AI speaks.", language: "en", accepted_at: "2026-01-01T00:00:00Z" },
    challenge_solution: solved,
  });
  // The left one is what a visitor claims; the right one is what the proxy saw.
  const headers = {
    "content-type": "application/json",
    "x-forwarded-for": `198.51.100.${++forged % 256}, ${address}`,
  };
  for (;;) {
    const response = await fetch(`${url}/sdk/v1/sessions`, { method: "POST", headers, body });
    const answer = (await response.json()) as Partial<SessionStarted & SdkErrorBody>;
    if (answer.session_id !== undefined) {
      return { key, outcome: "started", sessionId: answer.session_id };
    }
    const code = answer.error?.code ?? `status ${response.status}`;
    if (code !== "service_unavailable") {
      const challenge = answer.error?.challenge;
      return { key, outcome: code, ...(challenge && { challenge }) };
    }
    await delay(200);
  }
}

/** What a rush left in the database, and what its visitors were told. */
interface Outcome {
  sessions: number;
  ended: number;
  /** The number of sessions from each address. */
  byAddress: number[];
  /** Different sessions among the answers. */
  told: number;
  refusedFor: string[];
  /** Keys whose requests were not all answered alike. */
  torn: string[];
}

function expected({ started, addresses = ADDRESSES, perAddress, reason }: Round): Outcome {
  const anything = expect.any(Array) as number[];
  return {
    sessions: started,
    ended: 0,
    byAddress: perAddress === undefined ? anything : Array(addresses).fill(perAddress),
    told: started,
    refusedFor: [reason],
    torn: [],
  };
}

async function outcomeOf(
  { pool }: TestDatabase,
  agentId: string,
  answers: Answer[],
): Promise<Outcome> {
  const { rows } = await pool.query<{ sessions: number; ended: number }>(
    `SELECT count(*)::integer AS sessions, count(ended_at)::integer AS ended
     FROM sessions JOIN visits ON session_id = id WHERE sessions.agent_id = $1 GROUP BY address`,
    [agentId],
  );
  const sum = (of: "sessions" | "ended"): number => rows.reduce((all, row) => all + row[of], 0);
  const byKey = new Map(answers.map(({ key }) => [key, new Set<string | undefined>()]));
  for (const { key, sessionId } of answers) byKey.get(key)!.add(sessionId);
  const refusals = answers.map(({ outcome }) => outcome).filter((one) => one !== "started");
  return {
    sessions: sum("sessions"),
    ended: sum("ended"),
    byAddress: rows.map(({ sessions }) => sessions),
    told: new Set(answers.flatMap(({ sessionId }) => sessionId ?? [])).size,
    refusedFor: [...new Set(refusals)],
    torn: [...byKey].filter(([, sessions]) => sessions.size !== 1).map(([key]) => key),
  };
}
