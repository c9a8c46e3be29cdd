import { transact } from "#platform";
import { addCustomer, addReceiver, evaluateAgain, openPostOffice, playEvaluated } from "#testing";
import type { PostOffice, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished } from "vitest";
import { admitDue } from "../delivery/delivery-store.ts";
import { forgetDeliveries } from "../delivery/upkeep.ts";
import { removeEndpoint } from "../endpoints/endpoint.ts";
import type { ReplayChoice } from "./replay-store.ts";
import { replayDeliveries } from "./replay.ts";
import type { Replay } from "./replay.ts";

/** An endpoint whose receiver answers 500 until it is set to succeed. */
async function open(database: TestDatabase): Promise<PostOffice & { recover(): void }> {
  let status = 500;
  const post = await openPostOffice(database, {
    admit: (trx) => admitDue(trx, { slots: 8, limit: 200 }),
    answer: () => status,
  });
  onTestFinished(post.close);
  return Object.assign(post, { recover: () => (status = 204) });
}

async function exhaust(post: PostOffice): Promise<void> {
  for (let tried = 0; tried < 3; tried++) await post.tryAll();
}

async function states({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ told: string }>(
    "SELECT id || ' ' || state || coalesce(' of ' || replay_of, '') AS told FROM deliveries ORDER BY id",
  );
  return rows.map(({ told }) => told);
}

const replay = (
  { db }: TestDatabase,
  choice: ReplayChoice,
  options?: { dryRun: boolean },
): Promise<Replay> => replayDeliveries(db, "ada", choice, options);

const refusal = (why: RegExp): object => ({ code: "conflict", why: expect.stringMatching(why) });
const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

// W9
describe("a replay", () => {
  databaseTest("is a new delivery with the same bytes and id", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await exhaust(post);
    post.recover();
    expect(await replay(database, { ids: ["1"] })).toMatchObject({
      deliveries: [{ id: "2", replayOf: "1" }],
    });
    await post.tryAll();
    expect(await states(database)).toEqual(["1 exhausted", "2 delivered of 1"]);
    const [first, , , again] = post.receiver.received;
    expect(again!.body.equals(first!.body)).toBe(true);
    expect(again!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    const { rows } = await database.pool.query(
      "SELECT actor, account_id, subject, detail FROM audit WHERE action = 'webhook.replay'",
    );
    expect(rows).toEqual([
      {
        actor: "ada",
        account_id: post.customer.account.id,
        subject: post.endpoint.id,
        detail: { deliveries: 1 },
      },
    ]);
  });

  databaseTest("of what was delivered is possible too", async ({ database }) => {
    const post = await open(database);
    post.recover();
    await playEvaluated(database.db, post.customer);
    await post.tryAll();
    await replay(database, { ids: ["1"] });
    await post.tryAll();
    expect(post.receiver.received).toHaveLength(2);
  });

  databaseTest("of several by number is all or nothing", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await exhaust(post);
    await expect(replay(database, { ids: ["1", "99"] })).rejects.toMatchObject({
      code: "not_found",
      what: "There is no delivery 99.",
    });
    await playEvaluated(database.db, post.customer);
    await expect(replay(database, { ids: ["1", "2"] })).rejects.toMatchObject(refusal(/finished/));
    expect(await states(database)).toEqual(["1 exhausted", "2 waiting"]);
  });

  databaseTest("in a dry run writes nothing", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await exhaust(post);
    const planned = await replay(database, { ids: ["1"] }, { dryRun: true });
    expect(planned).toMatchObject({ deliveries: [{ replayOf: "1" }] });
    expect(await states(database)).toEqual(["1 exhausted"]);
  });

  databaseTest("is refused where the endpoint was removed", async ({ database }) => {
    const post = await open(database);
    const { id } = await playEvaluated(database.db, post.customer);
    await transact(database.db, (trx) => removeEndpoint(trx, "ada", post.endpoint.id));
    await expect(replay(database, { ids: ["1"] })).rejects.toMatchObject(refusal(/removed/));
    expect(await replay(database, { sessionId: id })).toMatchObject({
      deliveries: [],
      leftOut: { endpointRemoved: 1 },
    });
  });

  databaseTest("is refused where the body is no longer kept", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await exhaust(post);
    await database.pool.query(
      "UPDATE deliveries SET finished_at = now() - interval '31 days'; UPDATE webhook_events SET at = now() - interval '31 days'",
    );
    expect(await forgetDeliveries(database.db, 30, 100)).toBe(1);
    await expect(replay(database, { ids: ["1"] })).rejects.toMatchObject({
      code: "not_found",
      why: expect.stringContaining("body"),
    });
  });
});

// W10
describe("older data never arrives over newer", () => {
  databaseTest("by the number of an older delivery", async ({ database }) => {
    const post = await open(database);
    const { id } = await playEvaluated(database.db, post.customer);
    await exhaust(post);
    await evaluateAgain(database.db, id);
    await expect(replay(database, { ids: ["1"] })).rejects.toMatchObject({
      ...refusal(/later delivery/),
      fix: expect.stringContaining(`--session ${id}`),
    });
  });

  databaseTest("by session: the newest goes, once to each endpoint", async ({ database }) => {
    const post = await open(database);
    await addReceiver(database.db, post.customer, post.receiver.url);
    const { id } = await playEvaluated(database.db, post.customer);
    await evaluateAgain(database.db, id);
    for (let round = 0; round < 2; round++) await exhaust(post);
    expect(await replay(database, { sessionId: id })).toMatchObject({
      deliveries: [{ replayOf: "3" }, { replayOf: "4" }],
    });
    expect(await replay(database, { sessionId: id })).toMatchObject({
      deliveries: [],
      leftOut: { underWay: 2 },
    });
  });

  databaseTest("by an evaluation that is written meanwhile", async ({ database }) => {
    const { db, pool } = database;
    const post = await open(database);
    const { id } = await playEvaluated(db, post.customer);
    await exhaust(post);
    for (let round = 0; round < 10; round++) {
      const [{ rows }] = [
        await pool.query<{ id: string }>("SELECT id FROM deliveries WHERE NOT followed"),
      ];
      await Promise.all([
        replay(database, { ids: [rows[0]!.id] }).catch(() => undefined),
        evaluateAgain(db, id),
      ]);
      await exhaust(post);
      await exhaust(post);
    }
    const { rows } = await pool.query<{ version: number }>(
      "SELECT version FROM deliveries AS d JOIN webhook_events AS e ON e.id = d.event_id ORDER BY d.id",
    );
    const versions = rows.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  });
});

describe("many at once", () => {
  databaseTest("what failed since then, of one endpoint or an account", async ({ database }) => {
    const { db, pool } = database;
    const post = await open(database);
    const other = await addCustomer(db);
    await addReceiver(db, other, post.receiver.url);
    for (let count = 0; count < 3; count++) await playEvaluated(db, post.customer);
    await playEvaluated(db, other);
    await exhaust(post);
    await pool.query("UPDATE deliveries SET finished_at = $1 WHERE id = 1", [hoursAgo(30)]);
    await pool.query("UPDATE deliveries SET state = 'orphaned' WHERE id = 2");
    const ofEndpoint = { endpointId: post.endpoint.id };
    const ofAccount = { accountId: post.customer.account.id };
    const dryRun = { dryRun: true };
    const failed = (choice: ReplayChoice): Promise<Replay> => replay(database, choice, dryRun);
    expect(await failed({ ...ofEndpoint, failedSince: hoursAgo(48) })).toMatchObject({
      deliveries: [{ replayOf: "1" }, { replayOf: "2" }, { replayOf: "3" }],
    });
    const recent = { ...ofAccount, failedSince: hoursAgo(24) };
    expect(await replay(database, recent)).toMatchObject({
      deliveries: [{ replayOf: "2" }, { replayOf: "3" }],
    });
    expect(await replay(database, recent)).toMatchObject({ deliveries: [] });
  });

  databaseTest("all of a time, delivered or not", async ({ database }) => {
    const { db, pool } = database;
    const post = await open(database);
    for (let count = 0; count < 2; count++) await playEvaluated(db, post.customer);
    await exhaust(post);
    post.recover();
    for (let count = 0; count < 2; count++) await playEvaluated(db, post.customer);
    await post.tryAll();
    await pool.query(
      "UPDATE deliveries SET created_at = now() - make_interval(hours => 10 * id::integer)",
    );
    const range = { endpointId: post.endpoint.id, from: hoursAgo(35), to: hoursAgo(15) };
    expect(await replay(database, range)).toMatchObject({
      deliveries: [{ replayOf: "2" }, { replayOf: "3" }],
    });
    expect(await replay(database, range)).toMatchObject({ deliveries: [] });
  });

  databaseTest("more than one batch takes, each once", async ({ database }) => {
    const { db, pool } = database;
    const post = await open(database);
    await playEvaluated(db, post.customer);
    await exhaust(post);
    await pool.query(
      `INSERT INTO deliveries (endpoint_id, event_id, session_id, state, due_at, created_at, finished_at)
       SELECT endpoint_id, event_id, gen_random_uuid(), 'exhausted', due_at, created_at, finished_at
       FROM deliveries CROSS JOIN generate_series(1, 2499)`,
    );
    const told: number[] = [];
    const choice = { endpointId: post.endpoint.id, failedSince: hoursAgo(1) };
    const { deliveries } = await replayDeliveries(db, "ada", choice, {
      onProgress: (count) => told.push(count),
    });
    expect(deliveries).toHaveLength(2_500);
    expect(told).toEqual([1_000, 2_000, 2_500]);
    const { rows } = await pool.query(
      "SELECT count(*)::integer AS all, count(DISTINCT replay_of)::integer AS different FROM deliveries WHERE replay_of IS NOT NULL",
    );
    expect(rows).toEqual([{ all: 2_500, different: 2_500 }]);
  });
});
