import { createAuthenticator } from "#accounts";
import { MemoryBudget, systemClock } from "#platform";
import { createExporter } from "#sessions";
import { addCustomer, playSession, start } from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import type { FastifyInstance } from "fastify";
import { describe, expect } from "vitest";
import { createApiUnderTest } from "./api-under-test.ts";

function open(database: TestDatabase): FastifyInstance {
  return createApiUnderTest({
    authenticator: createAuthenticator(database.db, systemClock),
    exporter: createExporter(database.exportPool, new MemoryBudget(100_000_000)),
  });
}

type Headers = Record<string, string>;
const bearer = ({ token }: Customer): Headers => ({ authorization: `Bearer ${token}` });
const basic = (clientId: string, token: string): Headers => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${token}`).toString("base64")}`,
});

interface Answer {
  status: number;
  ids: string[];
  stamps: string[];
  headers: Record<string, unknown>;
}

async function get(app: FastifyInstance, url: string, headers: Headers): Promise<Answer> {
  const answer = await app.inject({ url, headers });
  const { items = [] } = answer.json<{ items?: { id: string; created_at: string }[] }>();
  return {
    status: answer.statusCode,
    ids: items.map(({ id }) => id),
    stamps: items.map((item) => item.created_at),
    headers: answer.headers,
  };
}

async function playMany(
  database: TestDatabase,
  customer: Customer,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.push((await playSession(database.db, customer, { turns: [] })).id);
  return ids;
}

describe("the export", () => {
  databaseTest("opens with the token, and with client id and token", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const [id] = await playMany(database, customer, 1);
    const app = open(database);
    for (const headers of [bearer(customer), basic(customer.account.clientId, customer.token)]) {
      expect(await get(app, "/v1/sessions.json", headers)).toMatchObject({
        status: 200,
        ids: [id],
      });
    }
  });

  databaseTest(
    "is walked whole by Link, even one session at a time with many in a second",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const ids = await playMany(database, customer, 6);
      const app = open(database);
      for (const limit of [1, 4, 100]) {
        const walked: string[] = [];
        let next: string | undefined = `/v1/sessions.json?limit=${limit}&fields=id,created_at`;
        while (next !== undefined) {
          const page: Answer = await get(app, next, bearer(customer));
          walked.push(...page.ids);
          next = /^<https:\/\/api\.example\.com(\/[^>]+)>; rel="next"$/.exec(
            String(page.headers["link"]),
          )?.[1];
        }
        expect(walked, `limit ${limit}`).toEqual(ids);
      }
    },
  );

  databaseTest("is walked whole by the documented loop over since", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const ids = await playMany(database, customer, 5);
    // Some of an earlier second, so that the loop has a step to take.
    await database.pool.query(
      `WITH moved AS (UPDATE sessions SET created_at = created_at - interval '5 seconds' WHERE id = ANY ($1))
       UPDATE session_exports SET created_at = created_at - interval '5 seconds' WHERE id = ANY ($1)`,
      [ids.slice(0, 2)],
    );
    const app = open(database);
    const seen = new Set<string>();
    let since = 0;
    for (;;) {
      const page = await get(app, `/v1/sessions.json?since=${since}`, bearer(customer));
      page.ids.forEach((id) => seen.add(id));
      const last = Math.floor(Date.parse(page.stamps.at(-1)!) / 1_000);
      if (last === since) break;
      since = last;
    }
    expect([...seen]).toEqual(ids);
  });

  databaseTest(
    "tells how many wait behind an unfinished session, and up to where it is complete",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const [first] = await playMany(database, customer, 1);
      const unfinished = await start(database.db, customer);
      await playMany(database, customer, 2);
      expect(await get(open(database), "/v1/sessions.json", bearer(customer))).toMatchObject({
        ids: [first],
        headers: {
          "svc-held": "2",
          "svc-complete-through": new Date(unfinished.createdAt.getTime() - 1).toISOString(),
        },
      });
    },
  );

  databaseTest("takes a since beyond every calendar", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const [id] = await playMany(database, customer, 1);
    const app = open(database);
    const ids = async (since: string) =>
      (await get(app, `/v1/sessions.json?since=${since}`, bearer(customer))).ids;
    for (const since of ["9223372036854775807", "253402300799", "99999999999"])
      expect(await ids(since)).toEqual([]);
    for (const since of ["-9223372036854775808", "-1", "0"]) expect(await ids(since)).toEqual([id]);
  });

  // A1
  databaseTest(
    "shows an account's sessions to nobody else, whatever is asked for",
    async ({ database }) => {
      const [mine, theirs] = [await addCustomer(database.db), await addCustomer(database.db)];
      const ids = await playMany(database, mine, 2);
      await playMany(database, theirs, 2);
      const app = open(database);
      const foreignCursor = /cursor=([^>]+)/.exec(
        String((await get(app, "/v1/sessions.json?limit=1", bearer(theirs))).headers["link"]),
      )![1]!;
      const queries = [
        "",
        "?since=-1",
        "?account_id=2",
        `?client_id=${theirs.account.clientId}`,
        `?cursor=${foreignCursor}`,
        "?fields=id&limit=999",
      ];
      for (const query of queries) {
        const { ids: seen } = await get(app, `/v1/sessions.json${query}`, bearer(mine));
        expect(
          seen.filter((id) => !ids.includes(id)),
          query,
        ).toEqual([]);
      }
      for (const headers of [
        basic(mine.account.clientId, theirs.token),
        basic(theirs.account.clientId, mine.token),
      ]) {
        expect((await get(app, "/v1/sessions.json", headers)).status).toBe(401);
      }
    },
  );
});
