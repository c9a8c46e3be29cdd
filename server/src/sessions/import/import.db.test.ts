import { randomUUID } from "node:crypto";
import { addCustomer, playSession } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { AT_MS, burst, importLines, offsets, oldSession } from "./import-under-test.ts";
import type { ImportRequest } from "./import.ts";

async function rows<T>({ pool }: TestDatabase, text: string): Promise<T[]> {
  return (await pool.query(text)).rows as T[];
}

describe("an imported session", () => {
  databaseTest("is a settled session like any other, without turns", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const given = oldSession(customer, AT_MS + 125, {
      metadata: { plan: "team", email: "ada@example.com" },
      transcript: [
        { role: "assistant", content: "Hello", interrupted: true },
        { role: "user", content: "Hi" },
      ],
      summary: "They met.",
      evaluation: { language: "en" },
      email: "ada@example.com",
      email_verified: true,
      duration_secs: 90,
    });
    const report = await importLines(database, customer, [given]);
    expect(report).toMatchObject({ read: 1, imported: 1, alreadyThere: 0, refused: 0 });

    const [row] = await rows<Record<string, unknown>>(database, "SELECT * FROM sessions");
    const createdAt = new Date(given.created_at);
    expect(row).toEqual({
      id: given.id,
      account_id: customer.account.id,
      agent_id: customer.agent.agentId,
      agent_version: 1,
      test: false,
      status: "processed",
      created_at: createdAt,
      given_at: null,
      connect_by: createdAt,
      connected_at: null,
      converse_by: null,
      return_by: null,
      language: null,
      mode: null,
      page: null,
      entry: null,
      device: null,
      notice_sha256: null,
      notice_language: null,
      notice_at: null,
      notice_received_at: null,
      notice_served_sha256: null,
      recipients_sha256: null,
      cost_micros: "0",
      reserved_micros: "0",
      ended_at: new Date(createdAt.getTime() + 90_000),
      end_reason: "imported",
      evaluate_by: null,
      settled_at: expect.any(Date),
      error_reason: null,
      metadata: given.metadata,
      email: given.email,
      email_verified: true,
      duration_secs: 90,
      traceparent: null,
    });
    const [exported] = await rows<Record<string, unknown>>(
      database,
      "SELECT * FROM session_exports",
    );
    expect(exported).toEqual({
      ...given,
      account_id: customer.account.id,
      created_at: createdAt,
      metadata: JSON.stringify(given.metadata),
      transcript: JSON.stringify(given.transcript),
      evaluation: JSON.stringify(given.evaluation),
    });
    expect(await rows(database, "SELECT * FROM turns")).toEqual([]);
  });

  databaseTest(
    "remembers the time it was given, where it could not keep it",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const sessions = [oldSession(customer, AT_MS), oldSession(customer, AT_MS + 1_000)];
      const report = await importLines(database, customer, sessions);
      expect(report.moved).toEqual({ sessions: 2, maxMs: 1 });
      expect(await offsets(database, sessions)).toEqual([1, 1_001]);
      const given = await rows<{ given_at: Date }>(
        database,
        "SELECT given_at FROM sessions ORDER BY 1",
      );
      expect(given.map((row) => row.given_at.getTime() - AT_MS)).toEqual([0, 1_000]);
    },
  );

  databaseTest("goes under the agent that is asked for, by id or slug", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const foreign = { ...customer, agent: { agentId: "another system's", version: 1 } };
    for (const agent of ["guide", customer.agent.agentId]) {
      const report = await importLines(database, customer, burst(foreign, 2, AT_MS + 5), { agent });
      expect(report.imported).toBe(2);
    }
    const agents = await rows(database, "SELECT DISTINCT agent_id FROM session_exports");
    expect(agents).toEqual([{ agent_id: customer.agent.agentId }]);
    const unknown = importLines(database, customer, [], { agent: "nobody" });
    await expect(unknown).rejects.toMatchObject({ code: "not_found" });
  });

  databaseTest("is told apart from what clients have still to read", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const live = await playSession(database.db, customer);
    const report = await importLines(database, customer, burst(customer, 3, AT_MS + 5_500, 1_000));
    expect(report.passed).toEqual({
      sessions: 3,
      oldestMs: AT_MS + 5_500,
      newestStampMs: live.createdAt.getTime(),
    });
  });
});

describe("an import run again", () => {
  databaseTest("changes nothing", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const sessions = [...burst(customer, 600, AT_MS, 3), oldSession(customer, AT_MS)];
    await importLines(database, customer, sessions);
    const before = await rows(database, "SELECT * FROM sessions ORDER BY id");
    const audit = await rows(database, "SELECT * FROM audit ORDER BY id");
    const report = await importLines(database, customer, sessions);
    expect(report).toMatchObject({ read: 601, ready: 0, imported: 0, alreadyThere: 601 });
    expect(await rows(database, "SELECT * FROM sessions ORDER BY id")).toEqual(before);
    expect(await rows(database, "SELECT * FROM audit ORDER BY id")).toEqual(audit);
  });

  databaseTest("goes on where it was broken off, with the same stamps", async ({ database }) => {
    const [whole, broken] = [await addCustomer(database.db), await addCustomer(database.db)];
    const sessions = [
      ...burst(broken, 900, AT_MS),
      ...burst(broken, 300, AT_MS + 1_400, 7),
      ...burst(broken, 300, AT_MS - 2_000, 10),
    ];
    const copies = sessions.map((one) => ({ ...one, id: randomUUID() }));
    await importLines(database, whole, copies, { agent: "guide" });
    for (const breakAfter of [100, 700, 720, 1_400]) {
      const attempt = importLines(database, broken, sessions, { piped: true, breakAfter });
      await expect(attempt).rejects.toThrow("broken off");
    }
    const report = await importLines(database, broken, sessions);
    expect(report).toMatchObject({ read: 1_500, imported: 250, alreadyThere: 1_250 });
    expect(await offsets(database, sessions)).toEqual(await offsets(database, copies));
  });

  databaseTest("knows a session by its content, not by the order of keys", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const given = oldSession(customer, AT_MS, {
      metadata: { a: "1", b: "2" },
      evaluation: { language: "en", summary: "Short" },
    });
    await importLines(database, customer, [given]);
    const turned = {
      ...given,
      metadata: { b: "2", a: "1" },
      evaluation: { summary: "Short", language: "en" },
    };
    expect(await importLines(database, customer, [turned])).toMatchObject({
      alreadyThere: 1,
      refused: 0,
    });
    // As the export gives it back, a millisecond later.
    const exported = { ...given, created_at: new Date(AT_MS + 1).toISOString() };
    expect(await importLines(database, customer, [exported])).toMatchObject({
      alreadyThere: 1,
      refused: 0,
    });
  });

  databaseTest("takes an export of its own account for what it is", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const live = await playSession(database.db, customer, {
      turns: [{ role: "assistant", content: "Hello" }],
    });
    const exported = oldSession(customer, live.createdAt.getTime(), {
      id: live.id,
      status: "abandoned",
      transcript: [{ role: "assistant", content: "Hello" }],
    });
    expect(await importLines(database, customer, [exported])).toMatchObject({
      alreadyThere: 1,
      refused: 0,
    });
  });
});

databaseTest(
  "each batch leaves its own audit entry, so that they add up however a run ends",
  async ({ database }) => {
    const customer = await addCustomer(database.db);
    const sessions = burst(customer, 1_000, AT_MS + 1, 20);
    const entries = (): Promise<unknown[]> =>
      rows(
        database,
        "SELECT actor, account_id, subject, detail FROM audit WHERE action = 'session.import' ORDER BY id",
      );
    const entry = (imported: number): unknown => ({
      actor: "ada",
      account_id: customer.account.id,
      subject: customer.account.clientId,
      detail: { file: "old.ndjson", imported },
    });
    const attempt = importLines(database, customer, sessions, { piped: true, breakAfter: 800 });
    await expect(attempt).rejects.toThrow("broken off");
    expect(await entries()).toEqual([entry(250), entry(250), entry(250)]);
    await importLines(database, customer, sessions);
    expect(await entries()).toEqual([entry(250), entry(250), entry(250), entry(250)]);
  },
);

databaseTest("progress is told from the first line to the last", async ({ database }) => {
  const customer = await addCustomer(database.db);
  const told: string[] = [];
  const onProgress: ImportRequest["onProgress"] = (done, total, what) =>
    void told.push(`${done}/${total} ${what}`);
  await importLines(database, customer, burst(customer, 300, AT_MS + 1, 20), { onProgress });
  expect(told).toEqual([
    "250/undefined sessions checked",
    "300/undefined sessions checked",
    "300/300 sessions read",
    "250/300 sessions imported",
    "300/300 sessions imported",
    "300/300 sessions read",
  ]);
});
