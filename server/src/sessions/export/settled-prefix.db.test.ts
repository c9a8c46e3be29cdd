import {
  addCustomer,
  end,
  EXAMPLE_TURNS,
  itemsOf,
  playSession,
  readExport,
  say,
  settle,
  start,
} from "#testing";
import type { Customer, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import fc from "fast-check";
import type pg from "pg";
import { describe, expect } from "vitest";
import type { StartedSession } from "../record/session.ts";
import type { ExportRequest } from "./export.ts";

async function read(...request: Parameters<typeof readExport>) {
  const page = await readExport(...request);
  return { ...page, ids: itemsOf(page).map(({ id }) => id) };
}

/** Starts sessions of which those marked `open` go on and the others are settled. */
async function play(
  database: TestDatabase,
  customer: Customer,
  ...states: ("open" | "settled")[]
): Promise<StartedSession[]> {
  const sessions: StartedSession[] = [];
  for (const state of states) {
    sessions.push(await (state === "open" ? start : playSession)(database.db, customer));
  }
  return sessions;
}

const stamp = (session: { createdAt: Date }, ms = 0): string =>
  new Date(session.createdAt.getTime() + ms).toISOString();
const after = (session: StartedSession): Pick<ExportRequest, "after"> => ({
  after: { at: stamp(session), id: session.id },
});

describe("the settled prefix", () => {
  databaseTest(
    "shows nothing newer than the oldest unsettled session, and says how many wait",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const [a, b, open, d, e] = await play(
        database,
        customer,
        "settled",
        "settled",
        "open",
        "settled",
        "settled",
      );
      const held = await read(database, customer);
      expect(held.ids).toEqual([a!.id, b!.id]);
      expect(held).toMatchObject({
        held: 2,
        completeThrough: stamp(open!, -1),
        last: { at: stamp(b!), id: b!.id },
      });

      await say(database.db, open!, EXAMPLE_TURNS);
      await end(database.db, open!);
      expect((await read(database, customer)).ids, "the wait for the evaluation holds too").toEqual(
        [a!.id, b!.id],
      );

      await settle(database.db, open!, { status: "error", reason: "model_output" });
      const all = await read(database, customer);
      expect(all.ids).toEqual([a!.id, b!.id, open!.id, d!.id, e!.id]);
      expect(all).toMatchObject({ held: 0, completeThrough: stamp(e!) });
    },
  );

  databaseTest(
    "is relative to where the reading begins: older strays hold nobody",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const [, stray, c, open, e] = await play(
        database,
        customer,
        "settled",
        "open",
        "settled",
        "open",
        "settled",
      );
      expect(await read(database, customer, after(stray!))).toMatchObject({
        ids: [c!.id],
        held: 1,
        completeThrough: stamp(open!, -1),
      });
      expect(await read(database, customer, after(open!))).toMatchObject({
        ids: [e!.id],
        held: 0,
        completeThrough: stamp(e!),
      });
      expect(await read(database, customer, after(e!))).toMatchObject({
        ids: [],
        held: 0,
        completeThrough: stamp(e!),
      });
    },
  );

  databaseTest("is held by no test session, and shows none", async ({ database }) => {
    const customer = await addCustomer(database.db);
    await start(database.db, customer, { test: true });
    await playSession(database.db, customer, { test: true });
    const real = await playSession(database.db, customer);
    expect(await read(database, customer)).toMatchObject({
      ids: [real.id],
      held: 0,
      completeThrough: stamp(real),
    });
  });

  databaseTest("is held by no other account", async ({ database }) => {
    const [customer, other] = [await addCustomer(database.db), await addCustomer(database.db)];
    await play(database, other, "open", "settled");
    const [mine] = await play(database, customer, "settled");
    expect(await read(database, customer)).toMatchObject({ ids: [mine!.id], held: 0 });
  });

  databaseTest(
    "never moves back: a session settled once holds nothing again",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const [a, b] = await play(database, customer, "settled", "settled");
      await settle(database.db, a!, { status: "error", reason: "model_output" });
      await settle(database.db, a!, { status: "processed", summary: "again", evaluation: {} });
      expect(await read(database, customer)).toMatchObject({ ids: [a!.id, b!.id], held: 0 });
    },
  );

  databaseTest("of an account without a session reaches its beginning", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { rows } = await database.pool.query<{ last_at: Date }>(
      "SELECT last_at FROM account_clocks",
    );
    const page = await read(database, customer);
    expect(page.text).toBe('{"items":[]}');
    expect(page).toMatchObject({
      last: undefined,
      held: 0,
      completeThrough: rows[0]!.last_at.toISOString(),
    });
  });

  databaseTest(
    "is given up by an account that wants sessions as they are available",
    async ({ database }) => {
      const customer = await addCustomer(database.db, { exportMode: "as_available" });
      const [a, open, c] = await play(database, customer, "settled", "open", "settled");
      expect(await read(database, customer)).toMatchObject({
        ids: [a!.id, c!.id],
        held: 0,
        completeThrough: stamp(open!, -1),
      });
    },
  );

  databaseTest(
    "and its page are one snapshot: what settles in between is not shown past an open one",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const [a] = await play(database, customer, "settled");
      const meanwhile = () => play(database, customer, "open", "settled");
      const exportPool = beforeCopy(database.exportPool, meanwhile);
      const page = await read({ exportPool }, customer);
      expect(page).toMatchObject({ ids: [a!.id], completeThrough: stamp(a!) });
      expect((await read(database, customer)).ids).toEqual([a!.id]);
    },
  );

  databaseTest(
    "is what its definition says, from every position, at every limit, in both modes",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const kinds = fc.sample(fc.constantFrom("open", "settled", "settled", "settled", "test"), {
        numRuns: 20,
        seed: 11,
      });
      const sessions: { id: string; createdAt: Date; kind: string }[] = [];
      for (const kind of kinds) {
        const options = { test: kind === "test", turns: [] };
        const started =
          kind === "settled"
            ? playSession(database.db, customer, options)
            : start(database.db, customer, options);
        sessions.push({ ...(await started), kind });
      }
      for (const [from, session] of sessions.entries()) {
        const newer = sessions.slice(from + 1);
        const settled = newer.filter(({ kind }) => kind === "settled");
        const edge = newer.find(({ kind }) => kind === "open");
        const prefix = settled.filter(
          ({ createdAt }) => edge === undefined || createdAt < edge.createdAt,
        );
        for (const limit of [1, 3, 100]) {
          const page = await read(database, customer, { ...after(session), limit });
          expect(page.ids).toEqual(prefix.slice(0, limit).map(({ id }) => id));
          expect(page.held).toBe(settled.length - prefix.length);
          const all = await read(database, customer, {
            ...after(session),
            limit,
            mode: "as_available",
          });
          expect(all.ids).toEqual(settled.slice(0, limit).map(({ id }) => id));
        }
      }
    },
  );
});

/** A pool whose COPY waits until something else has happened. */
function beforeCopy(pool: pg.Pool, meanwhile: () => Promise<unknown>): pg.Pool {
  const connect = async () => {
    const client = await pool.connect();
    const { connection } = client as unknown as { connection: pg.Connection };
    const send = connection.query.bind(connection);
    connection.query = (script) => {
      const paused = script.replace("COPY (", "SELECT pg_sleep(1);\nCOPY (");
      if (paused !== script) setTimeout(() => void meanwhile(), 200);
      send(paused);
    };
    return client;
  };
  return { connect } as unknown as pg.Pool;
}
