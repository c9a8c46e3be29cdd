import { addAgent, plainConfig } from "#agents";
import { transact } from "#platform";
import { settleSession } from "#sessions";
import {
  addCustomer,
  addReceiver,
  end,
  evaluateAgain,
  EXAMPLE_EVALUATION,
  EXAMPLE_TURNS,
  playEvaluated,
  readExport,
  say,
  start,
} from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { SessionEvaluatedEvent } from "@svc/contract/schemas";
import type { SessionEvaluatedEvent as Event } from "@svc/contract/types";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { removeEndpoint, setEndpointState } from "../endpoints/endpoint.ts";
import { enqueueEvent } from "./enqueue-event.ts";

const HOOK = "https://crm.example.com/svc";

interface StoredEvent {
  session_id: string;
  version: number;
  at: Date;
  body: Buffer;
}

async function events({ pool }: TestDatabase): Promise<StoredEvent[]> {
  const { rows } = await pool.query<StoredEvent>(
    "SELECT session_id, version, at, body FROM webhook_events ORDER BY at",
  );
  return rows;
}

const parsed = ({ body }: StoredEvent): Event =>
  SessionEvaluatedEvent.parse(JSON.parse(body.toString("utf8")));

const METADATA = {
  b: "2",
  1: "keys that a parser puts in another order",
  email: " Ada@Bücher.example ",
  utm: { tags: ["ä", "\u2028", "\u202e"] },
  quote: '"\\\u0001',
};

describe("the body of an event", () => {
  databaseTest("holds the session object of the export, byte by byte", async ({ database }) => {
    const { db } = database;
    const customer = await addCustomer(db);
    await addReceiver(db, customer, HOOK);
    const session = await start(db, customer, { metadata: METADATA });
    await say(db, session, EXAMPLE_TURNS);
    await end(db, session);
    await transact(db, async (trx) => {
      const evaluation = { ...EXAMPLE_EVALUATION, customer_name: "Zoë O'Brien" };
      const settlement = { status: "processed", summary: "=1+1\r\n", evaluation } as const;
      const settled = await settleSession(trx, session.id, settlement);
      await enqueueEvent(trx, { session: settled!, version: 1, evaluatedAt: new Date() });
    });
    const { text } = await readExport(database, customer);
    const exported = /^\{"items":\[(.*)\]\}$/s.exec(text)![1];
    const [event] = await events(database);
    const timestamp = event!.at.toISOString();
    expect(event!.body.toString("utf8")).toBe(
      `{"event_type":"session.evaluated","timestamp":"${timestamp}","data":${exported}}`,
    );
    expect(parsed(event!).data).toMatchObject({ email: "ada@xn--bcher-kva.example" });
  });

  databaseTest("tells a re-evaluation under the same session id", async ({ database }) => {
    const { db } = database;
    const customer = await addCustomer(db);
    await addReceiver(db, customer, HOOK);
    const { id } = await playEvaluated(db, customer);
    await evaluateAgain(db, id);
    const [first, second] = (await events(database)).map(parsed);
    expect([first!.data.id, second!.data.id]).toEqual([id, id]);
    expect(Date.parse(second!.timestamp)).toBeGreaterThan(Date.parse(first!.timestamp));
  });
});

describe("an event goes", () => {
  databaseTest("to the account's endpoints that want the agent's", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const other = await addCustomer(db);
    const { agentId } = customer.agent;
    const another = await transact(db, (trx) =>
      addAgent(trx, "test", "aa", customer.account.id, "sales", plainConfig("Sales")),
    );
    const add = async (agentIds?: string[], whose = customer): Promise<string> =>
      (await addReceiver(db, whose, HOOK, agentIds && { agentIds })).id;
    const wanting = [await add(), await add([agentId]), await add([another.agentId, agentId])];
    const [paused, removed] = [await add(), await add()];
    await add([another.agentId]);
    await add(undefined, other);
    await transact(db, (trx) => setEndpointState(trx, "ada", paused, "paused"));
    await transact(db, (trx) => removeEndpoint(trx, "ada", removed));
    await playEvaluated(db, customer);
    const { rows } = await pool.query<{ id: string }>("SELECT endpoint_id AS id FROM deliveries");
    expect(rows.map(({ id }) => id).toSorted()).toEqual([...wanting, paused].toSorted());
  });

  databaseTest("nowhere, and is not stored, without an endpoint", async ({ database }) => {
    await playEvaluated(database.db, await addCustomer(database.db));
    expect(await events(database)).toEqual([]);
  });

  // K6
  databaseTest("with the evaluation's transaction or not at all", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    await addReceiver(db, customer, HOOK);
    await pool.query("ALTER TABLE deliveries ADD CONSTRAINT full_disk CHECK (false) NOT VALID");
    await expect(playEvaluated(db, customer)).rejects.toThrow("full_disk");
    const { rows } = await pool.query("SELECT settled_at FROM sessions");
    expect(rows).toEqual([{ settled_at: null }]);
    expect(await events(database)).toEqual([]);
  });
});

// W13
databaseTest(
  "every written evaluation fires one event, failed ones and test sessions never",
  async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    await addReceiver(db, customer, HOOK);
    const path = fc.record({
      test: fc.boolean(),
      failures: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(path, async ({ test, failures }) => {
        const [fails, ...later] = failures;
        const { id } = await playEvaluated(db, customer, { test, fails: fails! });
        for (const failsAgain of later) await evaluateAgain(db, id, { fails: failsAgain });
        const { rows } = await pool.query<{ version: number }>(
          "SELECT version FROM webhook_events WHERE session_id = $1 ORDER BY version",
          [id],
        );
        const written = failures.flatMap((failed, index) => (failed ? [] : [index + 1]));
        expect(rows.map(({ version }) => version)).toEqual(test ? [] : written);
      }),
      { numRuns: 30 },
    );
  },
);
