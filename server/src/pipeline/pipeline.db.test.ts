import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { changeSettings } from "#accounts";
import {
  createAddressMarks,
  createPersonLinks,
  followUp,
  followUpOf,
  orderFollowUp,
} from "#followup";
import {
  createDns,
  createEgress,
  createLogMail,
  createMetrics,
  createSecrets,
  systemClock,
  transact,
} from "#platform";
import type { MailMessage, SecretKey } from "#platform";
import {
  addCustomer,
  captureLog,
  end,
  itemsOf,
  jobSenderOf,
  openMailHarness,
  playSession,
  readExport,
  say,
  start,
  startRehearsedModels,
  verifyEmail,
} from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { addEndpoint, enqueueEvent } from "#webhooks";
import { expect, onTestFinished, vi } from "vitest";
import { startPipeline } from "./pipeline.ts";

const secretKeys: [SecretKey] = [{ id: "k1", key: Buffer.alloc(32, 1) }];
const secrets = createSecrets(secretKeys);
const publicUrl = "https://svc.test";
const LOOPBACK = { allowPlainHttp: true, allowPrivate: true };

/** The whole pipeline in this process, with a model to ask. Keeps the mails to prospects. */
async function pipelineOn({ db, pool }: TestDatabase) {
  const { rehearsal, models } = await startRehearsedModels();
  const isThere = vi.spyOn(models.first, "isThere");
  onTestFinished(() => rehearsal.close());
  const { log } = captureLog();
  const mails: MailMessage[] = [];
  const marks = createAddressMarks(secretKeys);
  const egress = createEgress(LOOPBACK);
  const pipeline = await startPipeline({
    db,
    queuePool: pool,
    jobs: jobSenderOf(db),
    log,
    metrics: createMetrics(),
    clock: systemClock,
    dns: createDns(),
    evaluation: {
      models,
      atOnce: 4,
      withinSecs: 60,
      retryRate: 5,
      onEvaluated: [enqueueEvent, orderFollowUp(jobSenderOf(db), marks)],
    },
    embeddings: undefined,
    webhooks: {
      egress,
      secrets,
      mail: createLogMail(log),
      atOnce: 4,
      backoffMs: 1_000,
      keepDays: 30,
    },
    followUp: {
      mail: { send: async (message) => void mails.push(message) },
      marks,
      links: createPersonLinks({ secretKeys, publicUrl }),
      publicUrl,
    },
  });
  onTestFinished(() => pipeline.stop());
  return { mails, isThere, post: vi.spyOn(egress, "post") };
}

/** A receiver on this machine, and the bodies it got. */
async function receiver(): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies };
}

/** A session from its start until its event has arrived. */
async function playDelivered(database: TestDatabase) {
  const { db } = database;
  const customer = await addCustomer(db);
  const { url, bodies } = await receiver();
  await transact(db, (trx) =>
    addEndpoint(trx, "test", "aa", secrets, {
      accountId: customer.account.id,
      url,
      agentIds: null,
      replayExhausted: false,
      rules: LOOPBACK,
    }),
  );
  const { post } = await pipelineOn(database);
  const session = await start(db, customer, { metadata: { plan: "team" } });
  await say(db, session, [
    { role: "assistant", content: "Hello, I am an AI guide. What brings you here?" },
    { role: "user", content: "We are a sales team of twelve, and we need a demo." },
  ]);
  await end(db, session);
  await vi.waitFor(() => expect(bodies).toHaveLength(1), 10_000);
  return { customer, post, body: bodies[0]! };
}

databaseTest(
  "an ended session is evaluated, exported, and delivered as it is exported",
  async ({ database }) => {
    const { customer, body } = await playDelivered(database);
    const event = JSON.parse(body) as { event_type: string; data: { status: string } };
    expect(event).toMatchObject({ event_type: "session.evaluated" });
    expect(event.data.status).toBe("processed");
    expect(itemsOf(await readExport(database, customer))).toEqual([event.data]);
  },
);

databaseTest("a receiver is given ten seconds to answer", async ({ database }) => {
  const { post } = await playDelivered(database);
  expect(post.mock.calls.map(([{ deadlineMs }]) => deadlineMs)).toEqual([10_000]);
});

databaseTest("a prospect who left an address is mailed, once", async ({ database }) => {
  const { db } = database;
  const customer = await addCustomer(db);
  await transact(db, (trx) => changeSettings(trx, "test", customer.account.id, { followUp: true }));
  const session = await start(db, customer, { metadata: { email: "ada@example.com" } });
  // Replaced before a real name server is asked.
  await verifyEmail(db, session, "ada@example.com", true);
  const { mails } = await pipelineOn(database);
  await say(db, session, [
    { role: "assistant", content: "Hello, I am an AI guide. What brings you here?" },
    { role: "user", content: "We are a sales team of twelve, and we need a demo." },
  ]);
  await end(db, session);
  await vi.waitFor(
    async () => expect(await followUpOf(db, session.id)).toMatchObject({ state: "sent" }),
    10_000,
  );
  expect(mails.map(({ to }) => to)).toEqual(["ada@example.com"]);
});

// G2
databaseTest("what an account keeps no longer is removed by itself", async ({ database }) => {
  const customer = await addCustomer(database.db);
  // A test session has no export row that would have to be moved with it.
  const { id } = await playSession(database.db, customer, { test: true });
  await database.pool.query(
    "UPDATE sessions SET created_at = created_at - interval '366 days' WHERE id = $1",
    [id],
  );
  await pipelineOn(database);
  await vi.waitFor(async () => {
    const { rowCount } = await database.pool.query("SELECT FROM sessions");
    expect(rowCount).toBe(0);
  }, 10_000);
});

// K11
databaseTest("a mail that a dead process was sending is told as unknown", async ({ database }) => {
  const { db, pool } = database;
  const harness = await openMailHarness(database);
  const sessionId = await harness.play("ada@example.com");
  await transact(db, (trx) => jobSenderOf(db).send(trx, followUp, harness.jobs));
  await pool.query("UPDATE follow_ups SET state = 'sending', attempts = 1");
  await pool.query(
    "UPDATE pgboss.job SET state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute' WHERE name = 'follow-up'",
  );
  const { mails } = await pipelineOn(database);
  await vi.waitFor(
    async () => expect(await followUpOf(db, sessionId)).toMatchObject({ state: "unknown" }),
    15_000,
  );
  expect(mails).toEqual([]);
});

databaseTest("a model's provider is asked for only while something waits", async ({ database }) => {
  const { db, pool } = database;
  const session = await playSession(db, await addCustomer(db));
  const { isThere } = await pipelineOn(database);
  await delay(1_500);
  expect(isThere).not.toHaveBeenCalled();
  await pool.query(
    `INSERT INTO evaluations (session_id, version, state, requested_at, finished_at, failure)
     VALUES ($1, 9, 'failed', now() - interval '1 hour', now() - interval '1 hour', 'model_away')`,
    [session.id],
  );
  await vi.waitFor(() => expect(isThere).toHaveBeenCalled(), 5_000);
});
