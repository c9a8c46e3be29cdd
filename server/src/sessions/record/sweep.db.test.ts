import { systemClock, transact } from "#platform";
import type { JobSender } from "#platform";
import {
  addCustomer,
  createLiveWorld,
  end,
  EXAMPLE_TURNS,
  exportRow,
  jobSenderOf,
  say,
  sessionRow,
  settle,
  start,
} from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { lockEpoch } from "../live/live-record-store.ts";
import { addTurn, connectVisitor, endSession, loseVisitor, settleSession } from "./session.ts";
import type { StartedSession } from "./session.ts";
import { PassedOver, sweepDeadlines } from "./sweep.ts";
import type { SweptSession } from "./sweep.ts";

const EVALUATE_WITHIN_SECS = 40;

function sweep(
  { db }: TestDatabase,
  options: {
    limit?: number;
    jobs?: JobSender;
    onError?: (id: string) => void;
    passedOver?: PassedOver;
  } = {},
): Promise<SweptSession[]> {
  return sweepDeadlines(db, options.jobs ?? jobSenderOf(db), {
    limit: options.limit ?? 100,
    evaluateWithinSecs: EVALUATE_WITHIN_SECS,
    passedOver: options.passedOver ?? new PassedOver(systemClock),
    onError: options.onError ?? ((_, error) => expect.fail(String(error))),
  });
}

/** Moves this session's times into the past. */
async function pass({ pool }: TestDatabase, { id }: StartedSession, secs: number): Promise<void> {
  const earlier = ["connect_by", "converse_by", "return_by", "evaluate_by"].map(
    (column) => `${column} = ${column} - make_interval(secs => $2)`,
  );
  await pool.query(`UPDATE sessions SET ${earlier.join(", ")} WHERE id = $1`, [id, secs]);
}

async function jobsFor({ pool }: TestDatabase, { id }: StartedSession): Promise<number> {
  const { rowCount } = await pool.query(
    "SELECT 1 FROM pgboss.job WHERE name = 'session-ended' AND data->>'sessionId' = $1",
    [id],
  );
  return rowCount ?? 0;
}

async function talking(database: TestDatabase): Promise<StartedSession> {
  const session = await start(database.db, await addCustomer(database.db));
  await say(database.db, session, EXAMPLE_TURNS);
  return session;
}

describe("sweeping", () => {
  // K2
  databaseTest(
    "stores what was heard of a turn when process and visitor are gone",
    async ({ database }) => {
      const { db, pool } = database;
      const { visit } = await createLiveWorld(database);
      const { id } = await visit();
      const { rows } = await pool.query<{ created_at: Date }>("SELECT created_at FROM sessions");
      const session = { id, createdAt: rows[0]!.created_at };
      await say(db, session, EXAMPLE_TURNS);
      const speech = {
        id: "cut",
        at: new Date(),
        text: "It costs forty.",
        heard: 8,
        isWhole: true,
      };
      const scene = JSON.stringify({ mode: "voice", speech });
      await pool.query("UPDATE visits SET scene = $1", [scene]);
      await transact(db, (trx) => loseVisitor(trx, id));
      await pass(database, session, 60);
      expect(await sweep(database)).toEqual([{ id, outcome: "ended" }]);
      const stored = await pool.query("SELECT content, interrupted FROM turns ORDER BY seq DESC");
      expect(stored.rows[0]).toEqual({ content: "It costs", interrupted: true });
      expect((await pool.query("SELECT scene FROM visits")).rows).toEqual([{ scene: null }]);
    },
  );

  databaseTest("gives up who never came, after a minute", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await pass(database, session, 59);
    expect(await sweep(database)).toEqual([]);
    await pass(database, session, 1);
    expect(await sweep(database)).toEqual([{ id: session.id, outcome: "ended" }]);
    expect(await sessionRow(database, session.id)).toMatchObject({
      status: "abandoned",
      end_reason: "visitor_gone",
    });
    expect(await exportRow(database, session.id)).toMatchObject({ status: "abandoned" });
    expect(await sweep(database)).toEqual([]);
  });

  // V1
  databaseTest("gives up who left and did not come back", async ({ database }) => {
    const session = await talking(database);
    await transact(database.db, (trx) => loseVisitor(trx, session.id));
    await pass(database, session, 59);
    expect(await sweep(database)).toEqual([]);
    await pass(database, session, 1);
    expect(await sweep(database)).toEqual([{ id: session.id, outcome: "ended" }]);
    const row = await sessionRow(database, session.id);
    expect(row).toMatchObject({ status: "active", end_reason: "visitor_gone", settled_at: null });
    const withinMs = (row["evaluate_by"] as Date).getTime() - (row["ended_at"] as Date).getTime();
    expect(withinMs).toBeCloseTo(1_000 * EVALUATE_WITHIN_SECS, -2);
    expect(await jobsFor(database, session)).toBe(1);
  });

  // V2
  databaseTest("leaves who came back in time", async ({ database }) => {
    const session = await talking(database);
    await transact(database.db, (trx) => loseVisitor(trx, session.id));
    await pass(database, session, 59);
    await transact(database.db, (trx) => connectVisitor(trx, session.id, 20));
    await pass(database, session, 60);
    expect(await sweep(database)).toEqual([]);
  });

  databaseTest("ends a talk that takes too long", async ({ database }) => {
    const session = await talking(database);
    // Twenty minutes, and one for the closing words.
    await pass(database, session, 21 * 60 - 1);
    expect(await sweep(database)).toEqual([]);
    await pass(database, session, 1);
    expect(await sweep(database)).toEqual([{ id: session.id, outcome: "ended" }]);
    expect(await sessionRow(database, session.id)).toMatchObject({ end_reason: "max_duration" });
    expect(await jobsFor(database, session)).toBe(1);
  });

  databaseTest("settles a session whose evaluation is late", async ({ database }) => {
    const session = await talking(database);
    await end(database.db, session);
    await pass(database, session, 299);
    expect(await sweep(database)).toEqual([]);
    await pass(database, session, 1);
    expect(await sweep(database)).toEqual([{ id: session.id, outcome: "overdue" }]);
    const settled = await sessionRow(database, session.id);
    expect(settled).toMatchObject({ status: "error", error_reason: "overdue" });
    expect(settled["settled_at"]).not.toBeNull();
    expect(await exportRow(database, session.id)).toMatchObject({ status: "error" });
    // Its job continues.
    expect(await jobsFor(database, session)).toBe(1);
  });

  databaseTest("holds test sessions to the same deadlines", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db), { test: true });
    await say(database.db, session, EXAMPLE_TURNS);
    await end(database.db, session);
    await pass(database, session, 300);
    expect(await sweep(database)).toEqual([{ id: session.id, outcome: "overdue" }]);
    expect(await exportRow(database, session.id)).toBeUndefined();
  });

  databaseTest("takes the most overdue first, and no more than it may", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const sessions: StartedSession[] = [];
    for (const lateSecs of [5, 30, 10, 20]) {
      const session = await start(database.db, customer);
      await pass(database, session, 60 + lateSecs);
      sessions.push(session);
    }
    const swept = await sweep(database, { limit: 3 });
    expect(swept.map(({ id }) => id)).toEqual([1, 3, 2].map((index) => sessions[index]!.id));
  });

  // P8
  databaseTest("passes over one that cannot be swept", async ({ database }) => {
    const stuck = await talking(database);
    const other = await talking(database);
    await pass(database, stuck, 30 * 60);
    await pass(database, other, 25 * 60);
    const sender = jobSenderOf(database.db);
    const jobs: JobSender = {
      send: async (trx, job, payloads, options) => {
        if (JSON.stringify(payloads).includes(stuck.id)) throw new Error("not this one");
        await sender.send(trx, job, payloads, options);
      },
    };
    const failed: string[] = [];
    const swept = await sweep(database, { jobs, onError: (id) => failed.push(id) });
    expect(swept).toEqual([{ id: other.id, outcome: "ended" }]);
    expect(failed).toEqual([stuck.id]);
    expect(await sessionRow(database, stuck.id)).toMatchObject({ ended_at: null });
    expect(await sweep(database)).toEqual([{ id: stuck.id, outcome: "ended" }]);
  });

  // O2
  databaseTest(
    "gives up who would be waited for by a clock that was ahead",
    async ({ database }) => {
      const never = await start(database.db, await addCustomer(database.db));
      const left = await talking(database);
      await transact(database.db, (trx) => loseVisitor(trx, left.id));
      const talks = await talking(database);
      await pass(database, never, -365 * 86_400);
      await pass(database, left, -3_600);
      expect(await sweep(database)).toEqual([
        { id: left.id, outcome: "ended" },
        { id: never.id, outcome: "ended" },
      ]);
      expect(await sessionRow(database, never.id)).toMatchObject({ status: "abandoned" });
      expect(await sessionRow(database, talks.id)).toMatchObject({ ended_at: null });
    },
  );

  // O7
  databaseTest("is not starved by those that cannot be swept", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const late = async (count: number, secs: number): Promise<string[]> => {
      const ids: string[] = [];
      for (let i = 0; i < count; i++) {
        const session = await start(database.db, customer);
        await say(database.db, session, EXAMPLE_TURNS);
        await pass(database, session, secs);
        ids.push(session.id);
      }
      return ids;
    };
    const stuck = await late(6, 30 * 60);
    const [other] = await late(1, 25 * 60);
    const sender = jobSenderOf(database.db);
    let isBroken = true;
    const jobs: JobSender = {
      send: async (trx, job, payloads, options) => {
        const isStuck = stuck.some((id) => JSON.stringify(payloads).includes(id));
        if (isBroken && isStuck) throw new Error("not this one");
        await sender.send(trx, job, payloads, options);
      },
    };
    let nowMs = 0;
    const clock = { ...systemClock, monotonicMs: () => nowMs };
    const passedOver = new PassedOver(clock);
    const failed: string[] = [];
    const options = { limit: 3, jobs, passedOver, onError: (id: string) => failed.push(id) };
    const sweeps = [];
    for (let i = 0; i < 3; i++) sweeps.push(await sweep(database, options));
    expect(sweeps).toEqual([[], [], [{ id: other, outcome: "ended" }]]);
    expect(failed.toSorted()).toEqual(stuck.toSorted());
    // Each is tried again a minute later.
    isBroken = false;
    expect(await sweep(database, options)).toEqual([]);
    nowMs += 60_000;
    const again = [...(await sweep(database, options)), ...(await sweep(database, options))];
    expect(again.map(({ id }) => id).toSorted()).toEqual(stuck.toSorted());
  });

  // O6
  databaseTest("by several processes at once sweeps each session once", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) {
      const session = await start(database.db, customer);
      await pass(database, session, 61);
      ids.push(session.id);
    }
    const sweeps = await Promise.all([1, 2, 3, 4].map(() => sweep(database)));
    expect(
      sweeps
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.toSorted());
  });

  databaseTest("leaves a session to whoever is at it", async ({ database }) => {
    const session = await talking(database);
    await end(database.db, session);
    await pass(database, session, 300);
    // The evaluation finishes just as the deadline passes.
    await transact(database.db, async (trx) => {
      await settleSession(trx, session.id, {
        status: "processed",
        summary: "In time.",
        evaluation: {},
      });
      expect(await sweep(database)).toEqual([]);
    });
    expect(await sweep(database)).toEqual([]);
    expect(await sessionRow(database, session.id)).toMatchObject({ status: "processed" });
  });

  databaseTest("leaves a session while a turn of it is being committed", async ({ database }) => {
    const { db } = database;
    const { id } = await (await createLiveWorld(database)).visit();
    const session = { id, createdAt: (await sessionRow(database, id))["created_at"] as Date };
    await pass(database, session, 61);
    await transact(db, async (trx) => {
      await lockEpoch(trx, id);
      await addTurn(trx, session, {
        role: "user",
        content: "Are you there?",
        interrupted: false,
        itemId: "item_1",
        at: new Date(),
      });
      expect(await sweep(database)).toEqual([]);
    });
    expect(await sweep(database)).toEqual([{ id, outcome: "ended" }]);
    expect(await jobsFor(database, session)).toBe(1);
  });

  // K4
  databaseTest("beside an end sends one job, whoever is first", async ({ database }) => {
    const { db } = database;
    for (let i = 0; i < 8; i++) {
      const session = await talking(database);
      await pass(database, session, 30 * 60);
      const jobs = jobSenderOf(db);
      const ending = transact(db, (trx) =>
        endSession(trx, jobs, session.id, { reason: "visitor_ended" }),
      );
      await Promise.all([ending, sweep(database)]);
      expect(await jobsFor(database, session)).toBe(1);
    }
  });

  databaseTest("never touches what is settled", async ({ database }) => {
    const session = await talking(database);
    await end(database.db, session);
    await settle(database.db, session, { status: "error", reason: "model_output" });
    await pass(database, session, 3_600);
    expect(await sweep(database)).toEqual([]);
    expect(await sessionRow(database, session.id)).toMatchObject({ error_reason: "model_output" });
  });
});
