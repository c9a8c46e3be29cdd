import { addCustomer, end, playSession, say, start } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect } from "vitest";
import { listLogDays, makeLogPartitions } from "../record/log-days.ts";
import {
  countSessions,
  exportHold,
  lastStarts,
  listSessions,
  overdueSessions,
} from "./session-list.ts";
import type { SessionFilter } from "./session-list.ts";

describe("the list of sessions", () => {
  databaseTest("is newest first over all accounts, and by every filter", async ({ database }) => {
    const { db } = database;
    const acme = await addCustomer(db, { name: "Acme" });
    const other = await addCustomer(db, { name: "Other" });
    const processed = await playSession(db, acme);
    const abandoned = await playSession(db, other, { turns: [] });
    const failed = await playSession(db, acme, {
      settlement: { status: "error", reason: "model_output" },
    });
    const active = await start(db, acme);
    const test = await playSession(db, acme, { test: true });
    const list = async (filter: Partial<SessionFilter>) =>
      (await listSessions(db, { test: false, limit: 10, ...filter })).map(({ id }) => id);

    expect(await list({})).toEqual([active.id, failed.id, abandoned.id, processed.id]);
    expect(await list({ limit: 2 })).toEqual([active.id, failed.id]);
    expect(await list({ accountId: other.account.id })).toEqual([abandoned.id]);
    expect(await list({ agentId: other.agent.agentId })).toEqual([abandoned.id]);
    expect(await list({ accountId: acme.account.id, agentId: other.agent.agentId })).toEqual([]);
    expect(await list({ status: "active" })).toEqual([active.id]);
    expect(await list({ status: "abandoned" })).toEqual([abandoned.id]);
    expect(await list({ status: "processed" })).toEqual([processed.id]);
    expect(await list({ status: "error" })).toEqual([failed.id]);
    expect(await list({ since: failed.createdAt })).toEqual([active.id, failed.id]);
    expect(await list({ test: true })).toEqual([test.id]);
    expect(await listSessions(db, { test: true, limit: 1 })).toMatchObject([
      {
        clientId: acme.account.clientId,
        accountName: "Acme",
        agentSlug: "guide",
        agentVersion: 1,
        test: true,
        status: "processed",
        endReason: "visitor_ended",
      },
    ]);
  });

  databaseTest("counts what is going on and what ended in a day", async ({ database }) => {
    const { db } = database;
    const customer = await addCustomer(db);
    await playSession(db, customer);
    await playSession(db, customer, { turns: [] });
    await playSession(db, customer, { test: true });
    const last = await start(db, customer);
    expect(await countSessions(db, customer.account.id)).toEqual({
      active: 1,
      abandoned: 1,
      processed: 1,
      error: 0,
    });
    expect(await lastStarts(db)).toEqual([{ accountId: customer.account.id, at: last.createdAt }]);
  });
});

describe("what holds the export", () => {
  databaseTest("is the oldest unsettled session, and why it is", async ({ database }) => {
    const { db, pool } = database;
    const customer = await addCustomer(db);
    const hold = () => exportHold(db, customer.account.id);
    await start(db, customer, { test: true });
    await playSession(db, customer);
    expect(await hold()).toBeUndefined();

    const open = await start(db, customer);
    await playSession(db, customer);
    await playSession(db, customer, { turns: [] });
    await start(db, customer);
    const first = { sessionId: open.id, createdAt: open.createdAt, overdue: false, behind: 2 };
    expect(await hold()).toEqual({ ...first, waitsFor: "visitor", until: expect.any(Date) });

    await say(db, open, [{ role: "user", content: "Hello" }]);
    expect(await hold()).toEqual({
      ...first,
      waitsFor: "conversation",
      until: expect.any(Date),
    });

    await end(db, open);
    expect(await hold()).toMatchObject({ ...first, waitsFor: "evaluation" });
    expect(await overdueSessions(db, 60)).toEqual({ count: 0, oldest: undefined });

    await pool.query(
      "UPDATE sessions SET evaluate_by = now() - interval '2 minutes' WHERE id = $1",
      [open.id],
    );
    expect(await hold()).toMatchObject({ ...first, overdue: true });
    expect(await overdueSessions(db, 60)).toMatchObject({
      count: 1,
      oldest: { sessionId: open.id, waitsFor: "evaluation" },
    });
    expect(await overdueSessions(db, 180)).toMatchObject({ count: 0 });

    // Readers of such an account get each session as it settles.
    await pool.query("UPDATE accounts SET export_mode = 'as_available'");
    expect(await hold()).toBeUndefined();
  });
});

databaseTest("the log's partitions are missed until they are made", async ({ database }) => {
  expect((await listLogDays(database.db)).map(({ made }) => made)).toEqual([false, false]);
  await makeLogPartitions(database.db, 0);
  expect((await listLogDays(database.db)).map(({ made }) => made)).toEqual([true, false]);
  await makeLogPartitions(database.db, 1);
  expect((await listLogDays(database.db)).map(({ made }) => made)).toEqual([true, true]);
});
