import { randomUUID } from "node:crypto";
import { transact } from "#platform";
import { createLiveWorld, sessionRow } from "#testing";
import type { LiveWorld, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { endSession } from "../record/session.ts";
import { claimSession } from "./live-claim.ts";
import type { ClaimedSession } from "./live-claim.ts";
import {
  confirmLiveEmail,
  endLiveSession,
  keepLiveVisitor,
  loseLiveVisitor,
  recordLive,
} from "./live-record.ts";
import type { LiveEntry, LiveUsage } from "./live-record.ts";

async function carried(database: TestDatabase): Promise<LiveWorld & { session: ClaimedSession }> {
  const world = await createLiveWorld(database);
  const { id, ticket } = await world.visit();
  const claim = { sessionId: id, processId: randomUUID(), credential: { ticket } };
  return { ...world, session: (await claimSession(world.db, claim)) as ClaimedSession };
}

const at = new Date("2026-11-15T10:00:00.000Z");

function turn(id: string, role: "user" | "assistant" = "user"): LiveEntry {
  return { kind: "turn", turn: { id, role, content: `Words of ${id}`, interrupted: false, at } };
}

function usage(total: Partial<LiveUsage>): LiveEntry {
  const nothing = { model: "m", requests: 1, inputTokens: 0, outputTokens: 0, costMicros: 0 };
  return { kind: "usage", usage: { ...nothing, ...total } };
}

// K3, P9
databaseTest(
  "the same entries again are the same turns and the same money",
  async ({ database }) => {
    const { db, session } = await carried(database);
    const entries = [turn("a"), turn("b", "assistant"), usage({ requests: 2, costMicros: 70 })];
    await recordLive(db, session, entries);
    await recordLive(db, session, entries);
    await recordLive(db, session, [usage({ model: "n", costMicros: 5 })]);
    const turns = await database.pool.query("SELECT item_id FROM turns ORDER BY seq");
    expect(turns.rows).toEqual([{ item_id: "a" }, { item_id: "b" }]);
    expect(await sessionRow(database, session.id)).toMatchObject({ cost_micros: "75" });
    const days = await database.pool.query("SELECT cost_micros FROM agent_days");
    expect(days.rows).toEqual([{ cost_micros: "75" }]);
  },
);

databaseTest("a test's money is not its agent's customers'", async ({ database }) => {
  const { db, session } = await carried(database);
  await database.pool.query("UPDATE sessions SET test = true");
  await recordLive(db, session, [usage({ costMicros: 70 })]);
  expect(await sessionRow(database, session.id)).toMatchObject({ cost_micros: "70" });
  const days = await database.pool.query("SELECT cost_micros FROM agent_days");
  expect(days.rows).toEqual([{ cost_micros: "0" }]);
});

// S1
databaseTest("an event may hold anything that was said", async ({ database }) => {
  const { db, session } = await carried(database);
  const detail = { comment: "a\0b\uD800c", list: ["\0"] };
  await recordLive(db, session, [{ kind: "event", event: { at, kind: "rating", detail } }]);
  const { rows } = await database.pool.query("SELECT at, kind, detail FROM session_events");
  expect(rows).toEqual([
    { at, kind: "rating", detail: { comment: "a\uFFFDb\uFFFDc", list: ["\uFFFD"] } },
  ]);
});

// V5, K15
databaseTest(
  "a scene is stored by who runs the session, until it is over",
  async ({ database }) => {
    const { db, jobs, session } = await carried(database);
    const keep = (content: string, epoch = session.epoch): Promise<unknown> =>
      recordLive(db, { ...session, epoch }, [{ kind: "scene", scene: { mode: "voice", content } }]);
    const stored = async (): Promise<unknown> =>
      (await database.pool.query<{ scene: unknown }>("SELECT scene FROM visits")).rows[0]?.scene;
    await keep("prices");
    await expect(keep("by an heir", session.epoch + 1)).rejects.toThrow("moved");
    expect(await stored()).toEqual({ mode: "voice", content: "prices" });
    await endLiveSession(db, jobs, session, {
      reason: "visitor_ended",
      visitorLastSeenAt: undefined,
    });
    await keep("too late");
    expect(await stored()).toBeNull();
  },
);

// V5, K15
databaseTest("a process that lost the session writes nothing more", async ({ database }) => {
  const { db, jobs, session } = await carried(database);
  await database.pool.query("UPDATE visits SET epoch = epoch + 1");
  const end = { reason: "agent_ended", visitorLastSeenAt: undefined } as const;
  const moved = { name: "NotCarried", why: "moved" };
  await expect(recordLive(db, session, [turn("late")])).rejects.toMatchObject(moved);
  await expect(loseLiveVisitor(db, session, 60)).rejects.toMatchObject(moved);
  await expect(keepLiveVisitor(db, session)).rejects.toMatchObject(moved);
  await expect(confirmLiveEmail(db, jobs, session, "a@b.com")).rejects.toMatchObject(moved);
  await expect(endLiveSession(db, jobs, session, end)).rejects.toMatchObject(moved);
  expect(await sessionRow(database, session.id)).toMatchObject({
    ended_at: null,
    return_by: null,
    email: null,
  });
  expect((await database.pool.query("SELECT 1 FROM turns")).rowCount).toBe(0);
});

databaseTest("after the end a rating is stored, a turn is not", async ({ database }) => {
  const { db, jobs, session } = await carried(database);
  await recordLive(db, session, [turn("a")]);
  await transact(db, (trx) => endSession(trx, jobs, session.id, { reason: "visitor_gone" }));
  await recordLive(db, session, [{ kind: "event", event: { at, kind: "rating", detail: {} } }]);
  await expect(recordLive(db, session, [turn("b")])).rejects.toMatchObject({ why: "over" });
  expect((await database.pool.query("SELECT 1 FROM turns")).rowCount).toBe(1);
});

// A5
databaseTest(
  "the end takes the tokens with it, and counts to the last sign",
  async ({ database }) => {
    const { db, jobs, session } = await carried(database);
    await recordLive(db, session, [turn("a")]);
    await database.pool.query("UPDATE visits SET previous_hash = resume_hash");
    await endLiveSession(db, jobs, session, {
      reason: "visitor_ended",
      visitorLastSeenAt: new Date(at.getTime() + 12_900),
    });
    const { rows } = await database.pool.query(
      "SELECT ticket_hash, resume_hash, previous_hash FROM visits",
    );
    expect(rows).toEqual([{ ticket_hash: null, resume_hash: null, previous_hash: null }]);
    expect(await sessionRow(database, session.id)).toMatchObject({ duration_secs: 12 });
  },
);

// V2
databaseTest("a visitor who is back is not given up", async ({ database }) => {
  const { db, session } = await carried(database);
  await loseLiveVisitor(db, session, 30);
  const lost = await database.pool.query<{ secs: number }>(
    "SELECT extract(epoch FROM return_by - clock_timestamp())::float AS secs FROM sessions",
  );
  expect(lost.rows[0]!.secs).toBeGreaterThan(28);
  // The column rounds to milliseconds, upwards too.
  expect(lost.rows[0]!.secs).toBeLessThanOrEqual(30.001);
  await keepLiveVisitor(db, session);
  expect(await sessionRow(database, session.id)).toMatchObject({ return_by: null });
});

databaseTest(
  "sessions at the same time reserve no more than their day has",
  async ({ database }) => {
    const { db, visit, session: first } = await carried(database);
    const another = async (): Promise<ClaimedSession> => {
      const { id, ticket } = await visit();
      const claim = { sessionId: id, processId: randomUUID(), credential: { ticket } };
      return (await claimSession(db, claim)) as ClaimedSession;
    };
    const sessions = [first, await another(), await another()];
    const share = { wantMicros: 40, dayMicros: 100 };
    const reserved = await Promise.all(sessions.map((one) => recordLive(db, one, [], share)));
    const micros = reserved.map((one) => one?.reservedMicros ?? Number.NaN);
    expect(micros.toSorted((a, b) => a - b)).toEqual([20, 40, 40]);

    // What is spent is taken off the reservation, and more is reserved as far as there is room.
    const least = sessions[micros.indexOf(20)]!;
    expect(await recordLive(db, least, [usage({ costMicros: 15 })], share)).toEqual({
      reservedMicros: 5,
      mostMicros: 20,
    });
    // Released when the session is settled: at its end, where the visitor said nothing.
    const { jobs } = await createLiveWorld(database);
    const [most] = sessions.filter((one) => one !== least);
    await endLiveSession(db, jobs, most!, {
      reason: "visitor_ended",
      visitorLastSeenAt: undefined,
    });
    expect(await recordLive(db, least, [], share)).toEqual({ reservedMicros: 40, mostMicros: 55 });
    expect(await recordLive(db, most!, [], share)).toBeUndefined();
  },
);
