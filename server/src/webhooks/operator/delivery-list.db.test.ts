import { transact } from "#platform";
import { addCustomer, addReceiver, evaluateAgain, openPostOffice, playEvaluated } from "#testing";
import type { PostOffice, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { admitDue } from "../delivery/delivery-store.ts";
import { removeEndpoint } from "../endpoints/endpoint.ts";
import { endpointHealth, listDeliveries, tellDelivery } from "./delivery-list.ts";
import type { DeliveryFilter } from "./delivery-list.ts";

async function open(database: TestDatabase, statuses: number[]): Promise<PostOffice> {
  const post = await openPostOffice(database, {
    admit: (trx) => admitDue(trx, { slots: 8, limit: 200 }),
    answer: (_event, index) => ({ status: statuses[index] ?? 204, body: `answer ${index}` }),
  });
  onTestFinished(post.close);
  return post;
}

describe("the list of deliveries", () => {
  databaseTest("shows the newest first, by every filter", async ({ database }) => {
    const { db, pool } = database;
    const post = await open(database, [500]);
    const other = await addCustomer(db, { name: "Other Ltd" });
    const removed = await addReceiver(db, other, "https://crm.example.com/svc");
    const session = await playEvaluated(db, post.customer);
    await post.tryAll();
    await evaluateAgain(db, session.id);
    await playEvaluated(db, other);
    await transact(db, (trx) => removeEndpoint(trx, "ada", removed.id));
    await pool.query("UPDATE deliveries SET created_at = now() - interval '2 h' WHERE id = 1");
    const ids = async (filter: Partial<DeliveryFilter>): Promise<string[]> =>
      (await listDeliveries(db, { limit: 10, ...filter })).map(({ id }) => id);
    expect(await ids({})).toEqual(["3", "2", "1"]);
    expect(await ids({ limit: 2 })).toEqual(["3", "2"]);
    expect(await ids({ accountId: other.account.id })).toEqual(["3"]);
    expect(await ids({ endpointId: post.endpoint.id })).toEqual(["2", "1"]);
    expect(await ids({ sessionId: session.id })).toEqual(["2", "1"]);
    expect(await ids({ sessionId: session.id, accountId: other.account.id })).toEqual([]);
    expect(await ids({ state: "cancelled" })).toEqual(["3"]);
    expect(await ids({ state: "waiting" })).toEqual(["2", "1"]);
    expect(await ids({ since: new Date(Date.now() - 3_600_000) })).toEqual(["3", "2"]);
    expect((await listDeliveries(db, { sessionId: session.id, limit: 9 }))[1]).toMatchObject({
      accountName: "Example Ltd",
      url: post.receiver.url,
      state: "waiting",
      attempts: 1,
      followed: true,
      lastOutcome: "answered",
      lastStatus: 500,
    });
  });
});

describe("the story of a delivery", () => {
  databaseTest("has the event, every try, and what follows", async ({ database }) => {
    const { db } = database;
    const post = await open(database, [500, 503]);
    const session = await playEvaluated(db, post.customer);
    await post.tryAll();
    await post.tryAll();
    await evaluateAgain(db, session.id);
    const first = await tellDelivery(db, "1");
    expect(first).toMatchObject({
      state: "waiting",
      behind: null,
      endpointState: "live",
      event: { version: 1, webhookId: post.receiver.received[0]!.headers["webhook-id"] },
      log: [
        { attempt: 1, outcome: "answered", status: 500, answer: Buffer.from("answer 0") },
        { attempt: 2, outcome: "answered", status: 503, answer: Buffer.from("answer 1") },
      ],
    });
    expect(first.event.body.equals(post.receiver.received[0]!.body)).toBe(true);
    expect(await tellDelivery(db, "2")).toMatchObject({ state: "waiting", behind: "1", log: [] });
    await expect(tellDelivery(db, "99")).rejects.toMatchObject({ code: "not_found" });
  });
});

databaseTest("how an endpoint does is told by what is left undone", async ({ database }) => {
  const { db, pool } = database;
  const post = await open(database, [204, 500, 500, 500]);
  const { id: endpointId } = post.endpoint;
  const health = async (): Promise<unknown> => (await endpointHealth(db, [endpointId]))[0];
  const nothing = { endpointId, waiting: 0, running: 0, failed: 0, oldestDueAt: null };
  expect(await health()).toEqual({ ...nothing, finished: 0, delivered: 0 });
  await playEvaluated(db, post.customer);
  await post.tryAll();
  const failing = await playEvaluated(db, post.customer);
  for (let tried = 0; tried < 3; tried++) await post.tryAll();
  expect(await health()).toEqual({ ...nothing, failed: 1, finished: 2, delivered: 1 });
  await evaluateAgain(db, failing.id);
  await pool.query("UPDATE deliveries SET due_at = '2026-01-01T00:00:00Z' WHERE state = 'waiting'");
  expect(await health()).toMatchObject({
    waiting: 1,
    // A later delivery has followed it.
    failed: 0,
    oldestDueAt: new Date("2026-01-01T00:00:00Z"),
  });
});
