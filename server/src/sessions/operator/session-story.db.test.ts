import { addCustomer, EXAMPLE_EVALUATION, playSession, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { tellSession } from "./session-story.ts";

describe("the story of a session", () => {
  databaseTest("tells facts, conversation, judgement and export", async ({ database }) => {
    const { db } = database;
    const customer = await addCustomer(db, { name: "Acme" });
    const { id } = await playSession(db, customer, {
      metadata: { email: "Ada@Example.com", plan: "team" },
      turns: [
        { role: "assistant", content: "Hello, I am", interrupted: true },
        { role: "user", content: "Hi" },
      ],
    });
    expect(await tellSession(db, id)).toMatchObject({
      session: {
        id,
        accountName: "Acme",
        agentSlug: "guide",
        agentVersion: 1,
        status: "processed",
        email: "ada@example.com",
        metadata: { email: "Ada@Example.com", plan: "team" },
      },
      conversation: [
        { role: "assistant", content: "Hello, I am", interrupted: true, at: expect.any(Date) },
        { role: "user", content: "Hi", interrupted: false },
      ],
      events: [],
      evaluations: [],
      summary: "They need a demo.",
      evaluation: EXAMPLE_EVALUATION,
      waiting: undefined,
      exported: "exported",
      hold: undefined,
    });
  });

  databaseTest("tells whether it is in the export, and what holds it", async ({ database }) => {
    const { db, pool } = database;
    const prefix = await addCustomer(db);
    const early = await playSession(db, prefix);
    const open = await start(db, prefix);
    const late = await playSession(db, prefix);
    const test = await playSession(db, prefix, { test: true });
    const state = async (id: string) => (await tellSession(db, id)).exported;
    expect(await state(early.id)).toBe("exported");
    expect(await state(open.id)).toBe("not_settled");
    expect(await state(late.id)).toBe("held");
    expect(await state(test.id)).toBe("test");
    expect(await tellSession(db, late.id)).toMatchObject({
      waiting: undefined,
      hold: { sessionId: open.id, waitsFor: "visitor", behind: 1 },
    });
    expect((await tellSession(db, open.id)).waiting).toMatchObject({ waitsFor: "visitor" });

    await pool.query("UPDATE accounts SET export_mode = 'as_available'");
    expect(await state(late.id)).toBe("exported");
    await pool.query("DELETE FROM session_exports WHERE id = $1", [early.id]);
    expect(await state(early.id)).toBe("missing");
  });

  databaseTest(
    "keeps what was said when the live log of that day is gone",
    async ({ database }) => {
      const { db, pool } = database;
      const { id } = await playSession(db, await addCustomer(db), {
        turns: [{ role: "user", content: "Hi", interrupted: true }],
      });
      await pool.query("TRUNCATE turns");
      expect((await tellSession(db, id)).conversation).toEqual([
        { role: "user", content: "Hi", interrupted: true, at: undefined },
      ]);
    },
  );

  databaseTest("tells operator events in order and every evaluation", async ({ database }) => {
    const { db, pool } = database;
    const { id, createdAt } = await playSession(db, await addCustomer(db));
    await pool.query(
      `INSERT INTO session_events (session_at, session_id, at, kind, detail)
       VALUES ($1, $2, now(), 'direction', '{"name":"show"}'), ($1, $2, now(), 'card.closed', '{}')`,
      [createdAt, id],
    );
    await pool.query(
      `INSERT INTO evaluations (session_id, version, state, requested_at, finished_at, model, cost_micros, evaluation, failure)
       VALUES ($1, 2, 'failed', now(), now(), null, null, null, 'no answer'), ($1, 1, 'written', now(), now(), 'large', 9000000000, '{}', null)`,
      [id],
    );
    const { events, evaluations } = await tellSession(db, id);
    expect(events).toMatchObject([
      { kind: "direction", detail: { name: "show" } },
      { kind: "card.closed", detail: {} },
    ]);
    expect(evaluations).toMatchObject([
      { version: 1, state: "written", model: "large", costMicros: 9_000_000_000 },
      { version: 2, state: "failed", failure: "no answer" },
    ]);
  });

  databaseTest("is refused for what is no session", async ({ database }) => {
    for (const id of ["00000000-0000-7000-8000-000000000000", "7", "", "'; DROP TABLE sessions"]) {
      await expect(tellSession(database.db, id), id).rejects.toMatchObject({ code: "not_found" });
    }
  });
});
