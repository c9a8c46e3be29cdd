import { addCustomer, playSession, start } from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { AT_MS, burst, importLines, oldSession } from "./import-under-test.ts";

async function rows<T>({ pool }: TestDatabase, text: string): Promise<T[]> {
  return (await pool.query(text)).rows as T[];
}

async function exportedIds(database: TestDatabase): Promise<string[]> {
  const all = await rows<{ id: string }>(database, "SELECT id FROM session_exports");
  return all.map(({ id }) => id);
}

describe("an import refuses", () => {
  databaseTest(
    "an id that is there with other content, and names what differs",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const given = oldSession(customer, AT_MS, { summary: "One", metadata: { a: "1" } });
      await importLines(database, customer, [given]);
      const before = await rows(database, "SELECT * FROM session_exports");
      const changed = { ...given, summary: "Two", metadata: { a: "2" } };
      const moved = { ...given, created_at: new Date(AT_MS + 2).toISOString() };
      const report = await importLines(database, customer, [given, changed, moved]);
      expect(report).toMatchObject({ read: 3, imported: 0, alreadyThere: 1, refused: 2 });
      expect(report.problems.map(({ line, field, problem }) => [line, field, problem])).toEqual([
        [2, "id", `${given.id} is there already with another summary, metadata`],
        [3, "id", `${given.id} is there already with another created_at`],
      ]);
      expect(await rows(database, "SELECT * FROM session_exports")).toEqual(before);
    },
  );

  databaseTest(
    "the same id twice in a file, unless it is the same session",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const given = oldSession(customer, AT_MS + 5);
      const same = await importLines(database, customer, [given, given], { dryRun: true });
      expect(same).toMatchObject({ ready: 1, alreadyThere: 1, refused: 0 });
      const other = await importLines(database, customer, [given, { ...given, status: "error" }]);
      expect(other.problems).toMatchObject([
        { line: 2, problem: `${given.id} is there already with another status` },
      ]);
    },
  );

  databaseTest("an id of another account, without a word about it", async ({ database }) => {
    const [customer, other] = [await addCustomer(database.db), await addCustomer(database.db)];
    const theirs = oldSession(other, AT_MS + 5, { summary: "Theirs" });
    await importLines(database, other, [theirs]);
    const report = await importLines(database, customer, [theirs], { agent: "guide" });
    expect(report.problems).toEqual([
      {
        line: 1,
        field: "id",
        problem: `${theirs.id} is taken`,
        fix: "Give the session another UUID, or leave the line out.",
        lines: 1,
      },
    ]);
  });

  databaseTest("an id that is live, or a test, here", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const active = await start(database.db, customer);
    const test = await playSession(database.db, customer, { test: true });
    const given = [active, test].map(({ id }) => oldSession(customer, AT_MS + 5, { id }));
    const report = await importLines(database, customer, given);
    expect(report.problems.map(({ problem }) => problem)).toEqual(
      [active, test].map(({ id }) => `${id} is there already, unfinished or as a test`),
    );
  });

  databaseTest("agents that the account does not have, each listed once", async ({ database }) => {
    const [customer, other] = [await addCustomer(database.db), await addCustomer(database.db)];
    const given = [
      oldSession(customer, AT_MS + 5),
      ...burst(other, 3, AT_MS + 5),
      oldSession(customer, AT_MS + 5, { agent_id: "gone" }),
    ];
    const report = await importLines(database, customer, given);
    expect(report).toMatchObject({ imported: 0, refused: 4 });
    expect(report.problems.map(({ line, problem, lines }) => [line, problem, lines])).toEqual([
      [2, `names ${other.agent.agentId}, which the account does not have`, 3],
      [5, "names gone, which the account does not have", 1],
    ]);
  });
});

describe("a file with bad lines", () => {
  databaseTest("is not imported at all, and twenty problems are listed", async ({ database }) => {
    const customer = await addCustomer(database.db);
    const lines = burst(customer, 700, AT_MS + 1, 20).flatMap((one, index) =>
      index % 10 === 9 ? [one, "", { ...one, status: "active" as const }] : [one],
    );
    const report = await importLines(database, customer, lines);
    expect(report).toMatchObject({ read: 770, imported: 0, refused: 70 });
    expect(report.problems.map(({ line }) => line)).toEqual(
      Array.from({ length: 20 }, (_, index) => 12 * (index + 1)),
    );
    expect(await exportedIds(database)).toEqual([]);
  });

  databaseTest(
    "that can be read once only stops before them; the rest is checked",
    async ({ database }) => {
      const customer = await addCustomer(database.db);
      const sessions = burst(customer, 1_000, AT_MS + 1, 20);
      const lines = sessions.map((one, index) => ([600, 900].includes(index) ? "{}" : one));
      const report = await importLines(database, customer, lines, { piped: true });
      expect(report).toMatchObject({ read: 1_000, imported: 500, refused: 2 });
      expect(new Set(report.problems.map(({ line }) => line))).toEqual(new Set([601, 901]));
      expect((await exportedIds(database)).toSorted()).toEqual(
        sessions
          .slice(0, 500)
          .map(({ id }) => id)
          .toSorted(),
      );
      const again = await importLines(database, customer, sessions, { piped: true });
      expect(again).toMatchObject({ imported: 500, alreadyThere: 500, refused: 0 });
    },
  );
});

databaseTest("a dry run checks everything and writes nothing", async ({ database }) => {
  const customer = await addCustomer(database.db);
  const [there, ...fresh] = burst(customer, 5, AT_MS + 5);
  await importLines(database, customer, [there!]);
  const audit = await rows(database, "SELECT * FROM audit");
  const lines = [there!, ...fresh, { ...there!, status: "error" as const }];
  const report = await importLines(database, customer, lines, { dryRun: true });
  expect(report).toMatchObject({ read: 6, ready: 4, imported: 0, alreadyThere: 1, refused: 1 });
  expect(await exportedIds(database)).toEqual([there!.id]);
  expect(await rows(database, "SELECT * FROM audit")).toEqual(audit);
});
