import { randomUUID } from "node:crypto";
import { addAgentVersion, plainConfig } from "#agents";
import { transact } from "#platform";
import { addCustomer, itemsOf, jobSenderOf, readExport, settle } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import type { Session, TranscriptEntry } from "@svc/contract/types";
import { describe, expect } from "vitest";
import { readEndedSession } from "../record/session.ts";
import { sweepDeadlines } from "../record/sweep.ts";
import { AT_MS, importLines, oldSession } from "./import-under-test.ts";
import type { Owner } from "./import-under-test.ts";

const TRANSCRIPT: TranscriptEntry[] = [
  { role: "assistant", content: "Hello, what brings", interrupted: true },
  { role: "user", content: "We need a demo." },
  { role: "assistant", content: "Of what?" },
  { role: "user", content: "Ours." },
];

/** A session as written by an earlier system, without a status. */
function due(owner: Owner, atMs: number, more: Partial<Session> = {}): string {
  const { status: _, ...session } = oldSession(owner, atMs, { transcript: TRANSCRIPT, ...more });
  return JSON.stringify({ ...session, ...(more.status && { status: more.status }) });
}

const idOf = (line: string): string => (JSON.parse(line) as Session).id;

async function rows<T>({ pool }: TestDatabase, text: string): Promise<T[]> {
  return (await pool.query(text)).rows as T[];
}

async function jobs(database: TestDatabase): Promise<string[]> {
  const sent = await rows<{ id: string }>(
    database,
    "SELECT data ->> 'sessionId' AS id FROM pgboss.job WHERE name = 'session-ended' ORDER BY 1",
  );
  return sent.map(({ id }) => id);
}

const evaluation = {
  status: "processed",
  summary: "A talk.",
  evaluation: { language: "en" },
} as const;

describe("a session imported to be evaluated", () => {
  databaseTest("waits for its evaluation like one that ended here", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const line = due(customer, AT_MS + 125, {
      metadata: { plan: "team" },
      email: "ada@example.com",
      duration_secs: 90,
    });
    const report = await importLines(database, customer, [line], { unevaluated: true });
    expect(report).toMatchObject({ read: 1, imported: 1, toEvaluate: 1, refused: 0 });

    const session = await readEndedSession(database.db, idOf(line));
    expect(session).toMatchObject({
      settledAt: null,
      metadata: { plan: "team" },
      turns: TRANSCRIPT.map((turn) => ({ interrupted: false, ...turn })),
    });
    const waitMs = session!.evaluateBy!.getTime() - session!.readAt.getTime();
    expect(waitMs).toBeGreaterThan(290_000);
    expect(waitMs).toBeLessThanOrEqual(300_000);
    expect(
      await rows(database, "SELECT status, end_reason, email, duration_secs FROM sessions"),
    ).toEqual([
      { status: "active", end_reason: "imported", email: "ada@example.com", duration_secs: 90 },
    ]);
    expect(await jobs(database)).toEqual([idOf(line)]);
    expect(await rows(database, "SELECT * FROM session_exports")).toEqual([]);
  });

  databaseTest("comes out of the export as it went in, and evaluated", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const line = due(customer, AT_MS + 125, {
      metadata: { plan: "team" },
      email: "ada@example.com",
    });
    await importLines(database, customer, [line], { unevaluated: true });
    const { status: _, ...given } = JSON.parse(line) as Session;
    await settle(database.db, { id: given.id, createdAt: new Date(given.created_at) }, evaluation);
    expect(itemsOf(await readExport(database, customer))).toEqual([{ ...given, ...evaluation }]);
  });

  databaseTest("is judged by its agent as it is now", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const { account, agent } = customer;
    await transact(database.db, (trx) =>
      addAgentVersion(trx, "ada", account.id, agent.agentId, plainConfig("Another guide")),
    );
    const [waiting, settled] = [due(customer, AT_MS + 5), oldSession(customer, AT_MS + 6)];
    await importLines(database, customer, [waiting], { unevaluated: true });
    await importLines(database, customer, [settled]);
    expect(await rows(database, "SELECT agent_version FROM sessions ORDER BY created_at")).toEqual([
      { agent_version: 2 },
      { agent_version: 1 },
    ]);
  });

  databaseTest("is abandoned at once when its visitor said nothing", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const silent = due(customer, AT_MS + 5, { transcript: TRANSCRIPT.slice(0, 1) });
    const report = await importLines(database, customer, [silent], { unevaluated: true });
    expect(report).toMatchObject({ imported: 1, toEvaluate: 0 });
    expect(await rows(database, "SELECT status, transcript FROM session_exports")).toEqual([
      { status: "abandoned", transcript: JSON.stringify(TRANSCRIPT.slice(0, 1)) },
    ]);
    expect(await jobs(database)).toEqual([]);
  });

  databaseTest("settles as an error when nobody evaluates it in time", async ({ database }) => {
    const customer = await addCustomer(database.db);
    await importLines(database, customer, [due(customer, AT_MS + 5)], { unevaluated: true });
    await database.pool.query("UPDATE sessions SET evaluate_by = now() - interval '1 second'");
    const swept = await sweepDeadlines(database.db, jobSenderOf(database.db), {
      limit: 10,
      evaluateWithinSecs: 300,
      onError: (_, error) => {
        throw error;
      },
    });
    expect(swept).toMatchObject([{ outcome: "overdue" }]);
  });

  databaseTest("is told apart in the audit", async ({ database }) => {
    const customer = await addCustomer(database.db);
    await importLines(database, customer, [due(customer, AT_MS + 5)], { unevaluated: true });
    const told = await rows(database, "SELECT detail FROM audit WHERE action = 'session.import'");
    expect(told).toEqual([{ detail: { file: "old.ndjson", imported: 1, unevaluated: true } }]);
  });
});

describe("an import of sessions to be evaluated, run again", () => {
  databaseTest("passes over what waits and what is settled by now", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const lines = [5, 6, 7].map((ms) => due(customer, AT_MS + ms * 1_000));
    await importLines(database, customer, lines, { unevaluated: true });
    const [first, second] = lines.map((line) => ({ id: idOf(line), createdAt: new Date(AT_MS) }));
    await settle(database.db, first!, evaluation);
    await settle(database.db, second!, { status: "error", reason: "model_output" });
    const sent = await jobs(database);
    const report = await importLines(database, customer, lines, { unevaluated: true });
    expect(report).toMatchObject({ ready: 0, imported: 0, alreadyThere: 3, refused: 0 });
    expect(await jobs(database)).toEqual(sent);
  });

  databaseTest("goes on where it was broken off, with one job for each", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const lines = Array.from({ length: 600 }, (_, index) => due(customer, AT_MS + index * 50));
    const options = { unevaluated: true, piped: true };
    const attempt = importLines(database, customer, lines, { ...options, breakAfter: 400 });
    await expect(attempt).rejects.toThrow("broken off");
    expect(await jobs(database)).toHaveLength(250);
    const report = await importLines(database, customer, lines, options);
    expect(report).toMatchObject({ imported: 350, toEvaluate: 350, alreadyThere: 250 });
    expect(await jobs(database)).toEqual(lines.map(idOf).toSorted());
  });

  databaseTest("refuses other content under an id that waits", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const id = randomUUID();
    await importLines(database, customer, [due(customer, AT_MS + 5, { id })], {
      unevaluated: true,
    });
    const cut = due(customer, AT_MS + 5, { id, transcript: TRANSCRIPT.slice(0, 2) });
    const report = await importLines(database, customer, [cut], { unevaluated: true });
    expect(report.problems).toMatchObject([
      { problem: `${id} is there already with another transcript` },
    ]);
    const evaluated = oldSession(customer, AT_MS + 5, { id, transcript: TRANSCRIPT });
    const plain = await importLines(database, customer, [evaluated]);
    expect(plain.problems).toMatchObject([
      { problem: `${id} is there already, unfinished or as a test` },
    ]);
  });
});

databaseTest("a batch that is rolled back leaves no job", async ({ database }) => {
  const customer = await addCustomer(database.db);
  await database.pool.query("ALTER TABLE audit ADD CHECK (action <> 'session.import')");
  const line = due(customer, AT_MS + 5);
  await expect(
    importLines(database, customer, [line], { unevaluated: true }),
  ).rejects.toMatchObject({ code: "23514" });
  expect(await jobs(database)).toEqual([]);
  await transact(database.db, async (trx) => {
    expect(await readEndedSession(trx, idOf(line))).toBeUndefined();
  });
});
