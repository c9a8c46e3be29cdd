import { setTimeout as delay } from "node:timers/promises";
import { changeSettings } from "#accounts";
import { bind, createEgress, startJobRunner, transact } from "#platform";
import {
  addCustomer,
  addReceiver,
  captureLog,
  evaluateAgain,
  jobSenderOf,
  openPostOffice,
  playEvaluated,
  startEventReceiver,
  testSecrets,
} from "#testing";
import type { PostOffice, PostOfficeOptions, ReceivedEvent, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished, vi } from "vitest";
import { Deliverer } from "./deliverer.ts";
import { admitDue } from "./delivery-store.ts";
import { deliver, Dispatcher } from "./dispatcher.ts";
import { webhookId } from "./sign.ts";

async function open(
  database: TestDatabase,
  options: Omit<PostOfficeOptions, "admit">,
): Promise<PostOffice> {
  const post = await openPostOffice(database, {
    admit: (trx) => admitDue(trx, { slots: 8, limit: 200 }),
    ...options,
  });
  onTestFinished(post.close);
  return post;
}

async function deliveries({ pool }: TestDatabase): Promise<{ id: string; state: string }[]> {
  return (await pool.query("SELECT id, state, attempts, replay_of FROM deliveries ORDER BY id"))
    .rows;
}

describe("after three failures", () => {
  const exhaust = async (post: PostOffice, database: TestDatabase): Promise<void> => {
    await playEvaluated(database.db, post.customer);
    for (let tried = 0; tried < 3; tried++) await post.tryAll();
  };

  databaseTest("the contact is told, once an hour for each endpoint", async ({ database }) => {
    const post = await open(database, { answer: () => 500 });
    await transact(database.db, (trx) =>
      changeSettings(trx, "ada", post.customer.account.id, { contactEmail: "ops@acme.example" }),
    );
    await exhaust(post, database);
    await exhaust(post, database);
    await vi.waitFor(() => expect(post.mails).toMatchObject([{ to: "ops@acme.example" }]));
    expect(post.mails[0]!.text).toContain(post.endpoint.id);
    expect(post.mails[0]!.text).not.toContain(post.endpoint.secret);
    await database.pool.query(
      "UPDATE webhook_endpoints SET noticed_at = noticed_at - interval '61 minutes'",
    );
    await exhaust(post, database);
    await vi.waitFor(() => expect(post.mails).toHaveLength(2));
  });

  databaseTest("a mail server that is slow holds no slot", async ({ database }) => {
    const post = await open(database, { answer: () => 500 });
    await playEvaluated(database.db, post.customer);
    for (let tried = 0; tried < 2; tried++) await post.tryAll();
    await database.pool.query("UPDATE deliveries SET due_at = now()");
    await post.admit();
    const egress = createEgress({ allowPlainHttp: true, allowPrivate: true });
    const notice = vi.fn<() => Promise<void>>(() => new Promise(() => {}));
    const deliverer = new Deliverer({
      db: database.db,
      log: post.log.log,
      egress,
      secrets: testSecrets,
      notice,
      backoffMs: 30_000,
      deadlineMs: 500,
    });
    const { signal } = new AbortController();
    const payload = { deliveryId: "1" };
    await deliverer.run({ payload, crashes: 0, signal, complete: async () => {} });
    expect(notice).toHaveBeenCalledTimes(1);
    expect(await deliveries(database)).toMatchObject([{ state: "exhausted" }]);
  });

  databaseTest("nobody is told where no contact is known", async ({ database }) => {
    const post = await open(database, { answer: () => 500 });
    await exhaust(post, database);
    expect(post.mails).toEqual([]);
    expect(await deliveries(database)).toMatchObject([{ state: "exhausted" }]);
  });

  databaseTest("the next success sends them again, if the endpoint asked", async ({ database }) => {
    let isWell = false;
    const post = await open(database, {
      answer: () => (isWell ? 204 : 500),
      replayExhausted: true,
    });
    await exhaust(post, database);
    await exhaust(post, database);
    isWell = true;
    await playEvaluated(database.db, post.customer);
    await post.tryAll();
    const [first, second, , ...replays] = await deliveries(database);
    expect(replays).toMatchObject([
      { state: "waiting", replay_of: first!.id, attempts: 0 },
      { state: "waiting", replay_of: second!.id, attempts: 0 },
    ]);
    await post.tryAll();
    expect((await deliveries(database)).slice(3)).toMatchObject([
      { state: "delivered" },
      { state: "delivered" },
    ]);
    expect(await deliveries(database)).toHaveLength(5);
  });

  databaseTest("the next success sends nothing unasked", async ({ database }) => {
    const post = await open(database, { answer: (_event, index) => (index < 3 ? 500 : 204) });
    await exhaust(post, database);
    await playEvaluated(database.db, post.customer);
    await post.tryAll();
    expect(await deliveries(database)).toHaveLength(2);
  });

  // W10
  databaseTest("nothing is sent again that a later event has followed", async ({ database }) => {
    let isWell = false;
    const post = await open(database, {
      answer: () => (isWell ? 204 : 500),
      replayExhausted: true,
    });
    const { id } = await playEvaluated(database.db, post.customer);
    for (let tried = 0; tried < 3; tried++) await post.tryAll();
    isWell = true;
    await evaluateAgain(database.db, id);
    await post.tryAll();
    expect(await deliveries(database)).toMatchObject([
      { state: "exhausted" },
      { state: "delivered" },
    ]);
  });

  databaseTest("an event that no receiver accepts is not retried forever", async ({ database }) => {
    const poison: string[] = [];
    const isPoison = ({ headers }: ReceivedEvent): boolean =>
      poison.includes(String(headers["webhook-id"]));
    const post = await open(database, {
      answer: (event) => (isPoison(event) ? 500 : 204),
      replayExhausted: true,
    });
    await playEvaluated(database.db, post.customer);
    const { rows } = await database.pool.query<{ id: string }>("SELECT id FROM webhook_events");
    poison.push(webhookId(rows[0]!.id));
    for (let round = 0; round < 10; round++) {
      for (let tried = 0; tried < 3; tried++) await post.tryAll();
      await playEvaluated(database.db, post.customer);
    }
    const sent = post.receiver.received.filter(isPoison);
    expect(sent).toHaveLength(5 * 3);
    // Nor when its first deliveries are no longer there to be counted.
    await database.pool.query(
      "DELETE FROM deliveries WHERE id IN (SELECT replay_of FROM deliveries)",
    );
    await post.tryAll();
    for (let tried = 0; tried < 3; tried++) await post.tryAll();
    expect(post.receiver.received.filter(isPoison)).toHaveLength(5 * 3);
  });
});

// W10
databaseTest("a session's events arrive in order, through failures", async ({ database }) => {
  const { db, pool } = database;
  const post = await open(database, { answer: (_event, index) => (index % 3 === 2 ? 204 : 500) });
  const { id } = await playEvaluated(db, post.customer);
  await evaluateAgain(db, id);
  await evaluateAgain(db, id);
  for (let round = 0; round < 12; round++) await post.tryAll();
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM webhook_events ORDER BY version",
  );
  const seen = post.receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(seen).toEqual(rows.map((row) => webhookId(row.id)).flatMap((one) => [one, one, one]));
});

// W8
databaseTest(
  "the queue delivers a burst to one receiver, at most eight at once, to another meanwhile",
  async ({ database }) => {
    const { db, pool } = database;
    let underWay = 0;
    let maxAtOnce = 0;
    const post = await open(database, {
      answer: async () => {
        maxAtOnce = Math.max(maxAtOnce, (underWay += 1));
        await delay(20);
        underWay -= 1;
        return 204;
      },
    });
    const quick = await startEventReceiver();
    onTestFinished(quick.close);
    const other = await addCustomer(db);
    await addReceiver(db, other, quick.url);
    for (let count = 0; count < 60; count++) await playEvaluated(db, post.customer);
    await playEvaluated(db, other);

    const { log } = captureLog();
    const { deliverer } = post;
    const binding = bind({
      job: deliver,
      slots: 32,
      run: (claim) => deliverer.run(claim).then(() => dispatcher.poke()),
      giveUp: (claim) => deliverer.giveUp(claim),
    });
    const runner = await startJobRunner({ pool, log, bindings: [binding] });
    onTestFinished(() => runner.stop());
    const onAdmitted = (): void => runner.poke(deliver);
    const dispatcher = new Dispatcher({ db, jobs: jobSenderOf(db), log, onAdmitted });
    onTestFinished(() => dispatcher.stop());

    await vi.waitFor(() => expect(quick.received).toHaveLength(1), 5_000);
    expect(post.receiver.received.length).toBeLessThan(60);
    await vi.waitFor(() => expect(post.receiver.received).toHaveLength(60), 10_000);
    expect(maxAtOnce).toBeLessThanOrEqual(8);
    expect(maxAtOnce).toBeGreaterThan(2);
  },
);
