import { addCustomer, playSession, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { expect } from "vitest";
import { digestDue } from "../digest/digest.ts";
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

  expect(await ids({ delivery: "failed" })).toEqual([]);
  expect(await ids({ status: "processed", agentId: customer.agent.agentId })).toEqual([
    other.id,
    excel.id,
  ]);
  const going = await start(db, customer);
  expect(await ids({ agentId: customer.agent.agentId })).toEqual([going.id, other.id, excel.id]);
  expect(await ids({ text: "excel", accountIds: [customer.account.id + 1] })).toEqual([]);

  const first = await find({ limit: 1 });
  expect(first).toMatchObject({ sessions: [{ id: going.id }], hasMore: true });
  const before = { at: other.createdAt, id: other.id };
  for (const search of [{}, { status: "processed" as const }])
    expect(await find({ ...search, limit: 2, before })).toMatchObject({
      sessions: [{ id: excel.id }],
      hasMore: false,
    });
});

databaseTest("finds words in every script, and what few sessions have", async ({ database }) => {
  const { db, pool } = database;
  const customer = await addCustomer(db);
  const heard = async (content: string) =>
    (await playSession(db, customer, { turns: [{ role: "user", content }] })).id;
  const rare = await heard("Wir drucken Zebrastreifen, it's 会議の予定です。");
  await heard("Straße, STRASSE & ΟΔΟΣ");
  const ids = async (text: string) =>
    (await searchSessions(db, { test: false, limit: 10, text })).sessions.map(({ id }) => id);
  expect(await ids("zebra drucken")).toEqual([rare]);
  expect(await ids("streifen")).toEqual([]);
  expect(await ids("we drucken")).toEqual([]);
  expect(await ids("会議")).toEqual([rare]);
  expect(await ids("議会")).toEqual([]);
  expect(await ids("strasse οδοσ")).toHaveLength(1);
  expect(await ids("'\\:*!&|")).toHaveLength(2);
  // So many newer ones that only the index of terms finds it.
  await pool.query(
    `INSERT INTO sessions (id, account_id, agent_id, agent_version, test, status, created_at, connect_by, ended_at, end_reason, settled_at, metadata)
     SELECT gen_random_uuid(), account_id, agent_id, 1, false, 'processed', at, connect_by, ended_at, end_reason, settled_at, '{}'
     FROM sessions, generate_series(1, 2100) AS n, LATERAL (SELECT created_at + n * interval '11 ms' AS at) AS later
     WHERE id = $1 AND at <> date_trunc('second', at)`,
    [rare],
  );
  while (await digestDue(db));
  expect(await ids("zebra")).toEqual([rare]);
});
