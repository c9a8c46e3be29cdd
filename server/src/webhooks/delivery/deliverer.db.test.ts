import { setTimeout as delay } from "node:timers/promises";
import { ClaimLost, createSecrets, transact } from "#platform";
import type { Secrets } from "#platform";
import { openPostOffice, playEvaluated, testSecrets } from "#testing";
import type { EventAnswer, PostOffice, PostOfficeOptions, TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { describe, expect, onTestFinished, vi } from "vitest";
import { activateSecret, stageSecret } from "../endpoints/endpoint-secret.ts";
import { removeEndpoint } from "../endpoints/endpoint.ts";
import { secretPlace } from "../endpoints/sealed-secrets.ts";
import { Deliverer } from "./deliverer.ts";
import { admitDue } from "./delivery-store.ts";
import { signatureHeaders } from "./sign.ts";
import { countDeliveries } from "./upkeep.ts";

async function open(
  database: TestDatabase,
  answer?: PostOfficeOptions["answer"],
): Promise<PostOffice> {
  const post = await openPostOffice(database, {
    admit: (trx) => admitDue(trx, { slots: 8, limit: 200 }),
    ...(answer !== undefined && { answer }),
  });
  onTestFinished(post.close);
  return post;
}

interface Stored {
  state: string;
  attempts: number;
  orphans: number;
  due_at: Date;
  held_because: string | null;
}

async function deliveries({ pool }: TestDatabase): Promise<Stored[]> {
  return (await pool.query<Stored>("SELECT * FROM deliveries ORDER BY id")).rows;
}

interface StoredAttempt {
  attempt: number;
  started_at: Date;
  outcome: string;
  status: number | null;
  answer: Buffer | null;
}

async function attempts({ pool }: TestDatabase): Promise<StoredAttempt[]> {
  const { rows } = await pool.query<StoredAttempt>(
    "SELECT * FROM delivery_attempts ORDER BY delivery_id, attempt",
  );
  return rows;
}

describe("a delivery", () => {
  databaseTest(
    "posts the stored bytes, signed, and is delivered by a 2xx",
    async ({ database }) => {
      const post = await open(database, () => ({ status: 202, body: "thanks" }));
      await playEvaluated(database.db, post.customer);
      await post.tryAll();
      const { rows } = await database.pool.query("SELECT id, body FROM webhook_events");
      const { headers, body } = post.receiver.received[0]!;
      expect(body.equals(rows[0].body)).toBe(true);
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": "Svc-Webhooks/1",
        ...signatureHeaders({
          eventId: rows[0].id,
          body,
          sentAtSecs: Number(headers["webhook-timestamp"]),
          secrets: [post.endpoint.secret],
        }),
      });
      const sentSecsAgo = Date.now() / 1_000 - Number(headers["webhook-timestamp"]);
      expect(Math.abs(sentSecsAgo)).toBeLessThan(10);
      expect(await deliveries(database)).toMatchObject([{ state: "delivered", attempts: 1 }]);
      expect(await attempts(database)).toMatchObject([
        { attempt: 1, outcome: "answered", status: 202, answer: Buffer.from("thanks") },
      ]);
      expect(post.finished).toMatchObject([{ endpointId: post.endpoint.id, state: "delivered" }]);
    },
  );

  // W9
  databaseTest("is tried three times, 27 to 33 s apart, and kept", async ({ database }) => {
    const answers: EventAnswer[] = [500, { status: 302, headers: { location: "/" } }, 404];
    const post = await open(database, (_event, index) => answers[index]!);
    await playEvaluated(database.db, post.customer);
    const backoffsMs: number[] = [];
    for (let tried = 1; tried <= 3; tried++) {
      await post.tryAll();
      const [delivery] = await deliveries(database);
      const { started_at: startedAt } = (await attempts(database)).at(-1)!;
      expect(delivery).toMatchObject({ state: tried < 3 ? "waiting" : "exhausted" });
      backoffsMs.push(delivery!.due_at.getTime() - startedAt.getTime());
    }
    for (const backoffMs of backoffsMs.slice(0, 2)) {
      expect(backoffMs).toBeGreaterThanOrEqual(28_000);
      expect(backoffMs).toBeLessThanOrEqual(31_000);
    }
    expect((await attempts(database)).map(({ status }) => status)).toEqual([500, 302, 404]);
    const sent = post.receiver.received;
    expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body.toString())).size).toBe(1);
    await post.tryAll();
    expect(sent).toHaveLength(3);
    expect(post.finished.map(({ state }) => state)).toEqual(["waiting", "waiting", "exhausted"]);
  });

  databaseTest("counts silence as an outcome", async ({ database }) => {
    const post = await open(database, () => delay(1_000, 204));
    await playEvaluated(database.db, post.customer);
    await post.tryAll();
    expect(await attempts(database)).toMatchObject([{ outcome: "timed_out", status: null }]);
    expect(await deliveries(database)).toMatchObject([{ state: "waiting", attempts: 1 }]);
  });

  // W11
  databaseTest("is signed with the secret of the moment, bytes unchanged", async ({ database }) => {
    const post = await open(database, (_event, index) => (index < 2 ? 500 : 204));
    const { id, secret: old } = post.endpoint;
    await playEvaluated(database.db, post.customer);
    await post.tryAll();
    const { secret } = await transact(database.db, (trx) =>
      stageSecret(trx, "ada", testSecrets, id),
    );
    await post.tryAll();
    await transact(database.db, (trx) => activateSecret(trx, "ada", testSecrets, id));
    await post.tryAll();
    const { received } = post.receiver;
    expect(new Set(received.map(({ body }) => body.toString())).size).toBe(1);
    // The first one of each signs X-Webhook-Signature.
    const secretsOf = [[old], [old, secret], [secret, old]];
    expect(received).toHaveLength(secretsOf.length);
    for (const [index, { headers, body }] of received.entries()) {
      const eventId = String(headers["webhook-id"]).slice(4);
      const sentAtSecs = Number(headers["webhook-timestamp"]);
      const secrets = secretsOf[index]!;
      expect(headers).toMatchObject(signatureHeaders({ eventId, body, sentAtSecs, secrets }));
    }
  });

  databaseTest("that is cancelled while it is under way stays so", async ({ database }) => {
    const { promise: held, resolve: release } = Promise.withResolvers<EventAnswer>();
    const post = await open(database, () => held);
    await playEvaluated(database.db, post.customer);
    const trying = post.tryAll();
    await vi.waitFor(() => expect(post.receiver.received).toHaveLength(1));
    await transact(database.db, (trx) => removeEndpoint(trx, "ada", post.endpoint.id));
    release(204);
    await trying;
    expect(await deliveries(database)).toMatchObject([{ state: "cancelled", attempts: 0 }]);
  });

  databaseTest("that has gone before its turn only ends its job", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await post.admit();
    const [deliveryId] = await post.running();
    await transact(database.db, (trx) => removeEndpoint(trx, "ada", post.endpoint.id));
    let isComplete = false;
    const complete = async (): Promise<void> => void (isComplete = true);
    await post.tryOne({ payload: { deliveryId: deliveryId! }, complete });
    expect(isComplete).toBe(true);
    expect(post.receiver.received).toEqual([]);
  });
});

describe("a delivery that we cannot send", () => {
  const lost = createSecrets([{ id: "lost", key: Buffer.alloc(32, 7) }]);
  const seal = async (
    { pool }: TestDatabase,
    post: PostOffice,
    secrets: Secrets,
  ): Promise<void> => {
    const sealed = secrets.seal(post.endpoint.secret, secretPlace(post.endpoint.id));
    await pool.query("UPDATE webhook_endpoints SET secret = $1", [sealed]);
  };

  // A12
  databaseTest(
    "because a key is missing waits for it, and is not used up",
    async ({ database }) => {
      const post = await open(database);
      await seal(database, post, lost);
      await playEvaluated(database.db, post.customer);
      for (let tried = 0; tried < 7; tried++) await post.tryAll();
      const [held] = await deliveries(database);
      expect(held).toMatchObject({ state: "waiting", attempts: 0, orphans: 0 });
      expect(held!.held_because).toMatch(
        /^A stored secret cannot be read\. The key lost, .*Put that key/,
      );
      expect(held!.due_at.getTime() - Date.now()).toBeGreaterThan(25_000);
      expect(await attempts(database)).toEqual([]);
      expect(post.receiver.received).toEqual([]);
      expect(post.log.lines()).toMatchObject([{ msg: "delivery held back", level: "error" }]);
      expect((await countDeliveries(database.db)).states).toMatchObject({ waiting: 0, held: 1 });

      await seal(database, post, testSecrets);
      await post.tryAll();
      expect(await deliveries(database)).toMatchObject([
        { state: "delivered", attempts: 1, orphans: 0, held_because: null },
      ]);
      expect(post.receiver.received).toHaveLength(1);
    },
  );

  databaseTest("keeps the crashes that were counted before", async ({ database }) => {
    const post = await open(database);
    await seal(database, post, lost);
    await playEvaluated(database.db, post.customer);
    await post.admit();
    await post.tryOne({ crashes: 2 });
    expect(await deliveries(database)).toMatchObject([{ state: "waiting", orphans: 2 }]);
  });

  databaseTest("because this machine is out of sockets waits too", async ({ database }) => {
    const { db } = database;
    const post = await open(database);
    await playEvaluated(db, post.customer);
    await post.admit();
    const [deliveryId] = await post.running();
    const failed = { kind: "failed", why: "local_fault", detail: "EMFILE", tookMs: 1 } as const;
    const deliverer = new Deliverer({
      db,
      log: post.log.log,
      egress: { post: async () => failed },
      secrets: testSecrets,
      notice: async () => {},
      backoffMs: 30_000,
      deadlineMs: 500,
    });
    const { signal } = new AbortController();
    const payload = { deliveryId: deliveryId! };
    await deliverer.run({ payload, crashes: 0, signal, complete: async () => {} });
    expect(await deliveries(database)).toMatchObject([
      {
        state: "waiting",
        attempts: 0,
        orphans: 0,
        held_because: "The server could not send it: EMFILE.",
      },
    ]);
  });
});

describe("a crash of ours", () => {
  // K7
  databaseTest("before anything was sent is no outcome", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await post.admit();
    await post.tryOne({ crashes: 1 });
    expect(post.receiver.received).toHaveLength(1);
    expect(await deliveries(database)).toMatchObject([
      { state: "delivered", attempts: 1, orphans: 1 },
    ]);
  });

  // K8, K9
  databaseTest("before the answer was written sends it once more", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await post.admit();
    const complete = async (): Promise<void> => {
      throw new Error("killed");
    };
    await expect(post.tryOne({ complete })).rejects.toThrow("killed");
    expect(await deliveries(database)).toMatchObject([{ state: "running", attempts: 0 }]);
    await post.tryOne({ crashes: 1 });
    const ids = post.receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect(await attempts(database)).toHaveLength(1);
  });

  // K10
  databaseTest("does not lose the time of the next try", async ({ database }) => {
    const post = await open(database, () => 500);
    await playEvaluated(database.db, post.customer);
    await post.tryAll();
    const [before] = await deliveries(database);
    const [attempt] = await attempts(database);
    // These rows are all that a new process has.
    expect(before!.due_at.getTime() - attempt!.started_at.getTime()).toBeGreaterThan(28_000);
    await post.admit();
    expect(await post.running()).toEqual([]);
  });

  // K13
  databaseTest("counts apart, and five of them orphan the delivery", async ({ database }) => {
    const post = await open(database, () => 500);
    await playEvaluated(database.db, post.customer);
    await post.admit();
    await post.tryOne({ crashes: 3 });
    expect(await deliveries(database)).toMatchObject([
      { state: "waiting", attempts: 1, orphans: 3 },
    ]);
    await database.pool.query("UPDATE deliveries SET due_at = now()");
    await post.admit();
    await post.tryOne({ crashes: 2 });
    expect(await deliveries(database)).toMatchObject([
      { state: "orphaned", attempts: 1, orphans: 5 },
    ]);
    expect(post.receiver.received).toHaveLength(1);
    expect(post.log.lines()).toMatchObject([{ msg: "delivery orphaned", level: "error" }]);
    expect(post.finished.at(-1)).toMatchObject({ state: "orphaned" });
  });

  // K13
  databaseTest("five times in one job orphans it by the dead letter", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await post.admit();
    const [id] = await post.running();
    const { signal } = new AbortController();
    const payload = { deliveryId: id! };
    await post.deliverer.giveUp({ payload, crashes: 5, signal, complete: async () => {} });
    expect(await deliveries(database)).toMatchObject([{ state: "orphaned", orphans: 5 }]);
    expect(await post.running()).toEqual([]);
  });

  // K15
  databaseTest("that was only a long sleep writes nothing late", async ({ database }) => {
    const post = await open(database);
    await playEvaluated(database.db, post.customer);
    await post.admit();
    const complete = async (): Promise<void> => {
      throw new ClaimLost();
    };
    await expect(post.tryOne({ complete })).rejects.toThrow(ClaimLost);
    const signal = AbortSignal.abort(new ClaimLost());
    await expect(post.tryOne({ signal })).rejects.toThrow(ClaimLost);
    expect(await attempts(database)).toEqual([]);
    expect(await deliveries(database)).toMatchObject([{ state: "running", attempts: 0 }]);
  });
});
