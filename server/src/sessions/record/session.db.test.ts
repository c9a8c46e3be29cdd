import { transact } from "#platform";
import {
  addCustomer,
  end,
  EXAMPLE_EVALUATION,
  EXAMPLE_TURNS,
  exportRow,
  jobSenderOf,
  playSession,
  say,
  sessionRow,
  settle,
  start,
} from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { endSession } from "./session.ts";
import type { Settlement } from "./session.ts";

const PROCESSED: Settlement = {
  status: "processed",
  summary: "They need a demo.",
  evaluation: EXAMPLE_EVALUATION,
};

describe("a session's life", () => {
  databaseTest(
    "starts active, with its agent's version, its metadata and a minute to connect",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const session = await start(database.db, customer, {
        metadata: { plan: "trial", seats: 25 },
      });
      const row = await sessionRow(database, session.id);
      expect(row).toMatchObject({
        account_id: customer.account.id,
        agent_id: customer.agent.agentId,
        agent_version: 1,
        status: "active",
        test: false,
        metadata: { plan: "trial", seats: "25" },
        created_at: session.createdAt,
        ended_at: null,
        settled_at: null,
      });
      const connectWithinMs = (row["connect_by"] as Date).getTime() - Date.now();
      expect(connectWithinMs).toBeGreaterThan(50_000);
      expect(connectWithinMs).toBeLessThanOrEqual(60_000);
      expect(await exportRow(database, session.id)).toBeUndefined();
    },
  );

  databaseTest(
    "stays active while its evaluation is due, at most five minutes",
    async ({ database }) => {
      const session = await start(database.db, await addCustomer(database.db));
      await say(database.db, session, EXAMPLE_TURNS);
      expect(await end(database.db, session)).toBe("evaluation_due");
      const row = await sessionRow(database, session.id);
      expect(row).toMatchObject({
        status: "active",
        end_reason: "visitor_ended",
        settled_at: null,
      });
      expect(
        (row["evaluate_by"] as Date).getTime() - (row["ended_at"] as Date).getTime(),
      ).toBeCloseTo(300_000, -2);
      expect(await exportRow(database, session.id)).toBeUndefined();
    },
  );

  databaseTest(
    "becomes processed with its evaluation, and gets its export row in the same transaction",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const session = await playSession(database.db, customer, { metadata: { plan: "trial" } });
      expect(await sessionRow(database, session.id)).toMatchObject({ status: "processed" });
      expect(await exportRow(database, session.id)).toEqual({
        account_id: customer.account.id,
        created_at: session.createdAt,
        id: session.id,
        agent_id: customer.agent.agentId,
        status: "processed",
        metadata: '{"plan":"trial"}',
        transcript: JSON.stringify(EXAMPLE_TURNS),
        summary: "They need a demo.",
        evaluation: JSON.stringify(EXAMPLE_EVALUATION),
        email: null,
        email_verified: null,
        duration_secs: 1,
      });
    },
  );

  databaseTest(
    "is abandoned at once when the visitor said nothing, and exported",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      for (const turns of [[], [{ role: "assistant" as const, content: "Hello?" }]]) {
        const session = await start(database.db, customer);
        await say(database.db, session, turns);
        expect(await end(database.db, session)).toBe("abandoned");
        const row = await sessionRow(database, session.id);
        expect(row).toMatchObject({ status: "abandoned", evaluate_by: null });
        expect(row["settled_at"]).not.toBeNull();
        expect(await exportRow(database, session.id)).toMatchObject({
          status: "abandoned",
          summary: null,
          evaluation: null,
        });
      }
    },
  );

  databaseTest(
    "becomes error when its evaluation failed for good, and is exported without one",
    async ({ database }) => {
      const session = await playSession(database.db, await addCustomer(database.db), {
        settlement: { status: "error", reason: "model_output" },
      });
      expect(await sessionRow(database, session.id)).toMatchObject({ status: "error" });
      expect(await exportRow(database, session.id)).toMatchObject({
        status: "error",
        transcript: JSON.stringify(EXAMPLE_TURNS),
        summary: null,
        evaluation: null,
      });
    },
  );

  databaseTest(
    "healed from error keeps its id, its place and the time it was settled",
    async ({ database }) => {
      const session = await playSession(database.db, await addCustomer(database.db), {
        settlement: { status: "error", reason: "model_output" },
      });
      const before = await sessionRow(database, session.id);
      await settle(database.db, session, PROCESSED);
      expect(await sessionRow(database, session.id)).toEqual({
        ...before,
        status: "processed",
        error_reason: null,
      });
      expect(await exportRow(database, session.id)).toMatchObject({
        status: "processed",
        created_at: session.createdAt,
        transcript: JSON.stringify(EXAMPLE_TURNS),
        summary: "They need a demo.",
        evaluation: JSON.stringify(EXAMPLE_EVALUATION),
      });
    },
  );

  databaseTest(
    "re-evaluated shows the newest evaluation, even without its turns in the live log",
    async ({ database }) => {
      const session = await playSession(database.db, await addCustomer(database.db));
      const before = (await exportRow(database, session.id))!;
      await database.pool.query("DELETE FROM turns");
      await settle(database.db, session, {
        status: "processed",
        summary: "",
        evaluation: { language: "de" },
      });
      expect(await exportRow(database, session.id)).toEqual({
        ...before,
        summary: null,
        evaluation: '{"language":"de"}',
      });
    },
  );

  databaseTest("is changed in nothing by a re-evaluation that failed", async ({ database }) => {
    const session = await playSession(database.db, await addCustomer(database.db));
    const [row, exported] = [
      await sessionRow(database, session.id),
      await exportRow(database, session.id),
    ];
    await settle(database.db, session, { status: "error", reason: "model_output" });
    await settle(database.db, session, { status: "abandoned" });
    expect(await sessionRow(database, session.id)).toEqual(row);
    expect(await exportRow(database, session.id)).toEqual(exported);
  });

  databaseTest("cannot be settled while it goes on", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await say(database.db, session, EXAMPLE_TURNS);
    for (const settlement of [
      PROCESSED,
      { status: "error", reason: "model_output" },
      { status: "abandoned" },
    ] as const) {
      await expect(settle(database.db, session, settlement)).rejects.toMatchObject({
        code: "conflict",
      });
    }
    expect(await sessionRow(database, session.id)).toMatchObject({
      status: "active",
      settled_at: null,
    });
  });

  databaseTest("is evaluated before the backlog of another account", async ({ database }) => {
    const { db, pool } = database;
    const [busy, quiet] = [await addCustomer(db), await addCustomer(db)];
    for (const customer of [busy, busy, busy, quiet]) {
      const session = await start(db, customer);
      await say(db, session, EXAMPLE_TURNS);
      await end(db, session);
    }
    const { rows } = await pool.query<{ account: number }>(
      `SELECT sessions.account_id AS account FROM pgboss.job
       JOIN sessions ON sessions.id = (job.data ->> 'sessionId')::uuid
       WHERE name = 'session-ended' ORDER BY priority DESC, created_on`,
    );
    const order = rows.map(({ account }) => (account === quiet.account.id ? "quiet" : "busy"));
    expect(order).toEqual(["busy", "quiet", "busy", "busy"]);
  });

  databaseTest("ends once: the second end changes nothing", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    await say(database.db, session, EXAMPLE_TURNS);
    await end(database.db, session);
    const before = await sessionRow(database, session.id);
    const again = await transact(database.db, (trx) =>
      endSession(trx, jobSenderOf(database.db), session.id, { reason: "silence" }),
    );
    expect(again).toBe("ended_before");
    expect(await sessionRow(database, session.id)).toEqual(before);
  });

  databaseTest("ends once when two processes end it at the same time", async ({ database }) => {
    const session = await start(database.db, await addCustomer(database.db));
    const ends = await Promise.all([end(database.db, session), end(database.db, session)]);
    expect(ends.toSorted()).toEqual(["abandoned", "ended_before"]);
  });

  databaseTest(
    "of a test is evaluated and settled, and gets no export row",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const processed = await playSession(database.db, customer, { test: true });
      await settle(database.db, processed, PROCESSED);
      const abandoned = await playSession(database.db, customer, { test: true, turns: [] });
      expect(await sessionRow(database, processed.id)).toMatchObject({
        status: "processed",
        test: true,
      });
      expect(await sessionRow(database, abandoned.id)).toMatchObject({
        status: "abandoned",
        test: true,
      });
      expect((await database.pool.query("SELECT 1 FROM session_exports")).rowCount).toBe(0);
    },
  );

  databaseTest("that does not exist cannot be ended or settled", async ({ database }) => {
    const nobody = { id: "00000000-0000-7000-8000-000000000000", createdAt: new Date() };
    await expect(end(database.db, nobody)).rejects.toMatchObject({ code: "not_found" });
    await expect(settle(database.db, nobody, PROCESSED)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  databaseTest(
    "is refused, and leaves nothing, with metadata beyond the caps",
    async ({ database }) => {
      const work = start(database.db, await addCustomer(database.db), {
        metadata: { key: "x".repeat(8_193) },
      });
      await expect(work).rejects.toMatchObject({ code: "invalid_input" });
      expect((await database.pool.query("SELECT 1 FROM sessions")).rowCount).toBe(0);
    },
  );
});
