import { addCustomer, playSession } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { searchSessions } from "./session-search.ts";
import type { SessionSearch } from "./session-search.ts";

databaseTest("finds what was heard, who said it and how it was judged", async ({ database }) => {
  const { db } = database;
  const customer = await addCustomer(db);
  const turns = (content: string) => [{ role: "user" as const, content }];
  const judged = (status: "qualified" | "not_enough_data", name?: string) => ({
    status: "processed" as const,
    summary: "They talked.",
    evaluation: { qualification: { status }, ...(name && { customer_name: name }) },
  });
  const excel = await playSession(db, customer, {
    turns: turns(`${"Well, ".repeat(20)}we keep it in an EXCEL sheet, und Ärger damit.`),
    settlement: judged("qualified", "Dana Whitlock"),
  });
  const other = await playSession(db, customer, {
    turns: turns("On paper."),
    settlement: judged("not_enough_data"),
    metadata: { email: "Excellence@example.com" },
  });
  const test = await playSession(db, customer, { test: true, turns: turns("excel") });
  const find = async (search: Partial<SessionSearch>) =>
    searchSessions(db, { test: false, limit: 10, ...search });
  const ids = async (search: Partial<SessionSearch>) =>
    (await find(search)).sessions.map(({ id }) => id);

  expect(await ids({ text: "excel" })).toEqual([other.id, excel.id]);
  expect(await ids({ text: "äRGER" })).toEqual([excel.id]);
  expect(await ids({ text: "whitlock" })).toEqual([excel.id]);
  // Keys and marks of the stored JSON are not what was heard.
  expect(await ids({ text: "content" })).toEqual([]);
  expect(await ids({ qualification: "qualified" })).toEqual([excel.id]);
  expect(await ids({ text: "excel", qualification: "not_enough_data" })).toEqual([other.id]);
  expect(await ids({ test: true })).toEqual([test.id]);
  const [found] = (await find({ text: "sheet" })).sessions;
  expect(found!.heard!.content).toMatch(/^…Well, .*an EXCEL sheet, und Ärger damit\.$/);

  const first = await find({ limit: 1 });
  expect(first).toMatchObject({ sessions: [{ id: other.id }], readTo: { id: other.id } });
  const before = { at: first.readTo!.createdAt, id: first.readTo!.id };
  expect(await find({ limit: 2, before })).toMatchObject({
    sessions: [{ id: excel.id }],
    readTo: undefined,
  });
});
