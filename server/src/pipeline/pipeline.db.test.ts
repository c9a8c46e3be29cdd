import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  createDns,
  createEgress,
  createLogMail,
  createMetrics,
  createSecrets,
  systemClock,
  transact,
} from "#platform";
import {
  addCustomer,
  captureLog,
  end,
  itemsOf,
  jobSenderOf,
  readExport,
  say,
  start,
  startRehearsedModels,
} from "#testing";
import type { TestDatabase } from "#testing";
import { databaseTest } from "#testing/database-test";
import { addEndpoint, enqueueEvent } from "#webhooks";
import { expect, onTestFinished, vi } from "vitest";
import { startPipeline } from "./pipeline.ts";

const secrets = createSecrets([{ id: "k1", key: Buffer.alloc(32, 1) }]);
const LOOPBACK = { allowPlainHttp: true, allowPrivate: true };

/** The whole pipeline in this process, with a model to ask. */
async function pipelineOn({ db, pool }: TestDatabase): Promise<void> {
  const { rehearsal, models } = await startRehearsedModels();
  onTestFinished(() => rehearsal.close());
  const { log } = captureLog();
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
      onEvaluated: [enqueueEvent],
    },
    webhooks: {
      egress: createEgress(LOOPBACK),
      secrets,
      mail: createLogMail(log),
      atOnce: 4,
      retryAfterMs: 1_000,
      keepDays: 30,
    },
  });
  onTestFinished(() => pipeline.stop());
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

databaseTest(
  "an ended session is evaluated, exported, and delivered as it is exported",
  async ({ database }) => {
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
    await pipelineOn(database);

    const session = await start(db, customer, { metadata: { plan: "team" } });
    await say(db, session, [
      { role: "assistant", content: "Hello, I am an AI guide. What brings you here?" },
      { role: "user", content: "We are a sales team of twelve, and we need a demo." },
    ]);
    await end(db, session);

    await vi.waitFor(() => expect(bodies).toHaveLength(1), 10_000);
    const event = JSON.parse(bodies[0]!) as { event_type: string; data: { status: string } };
    expect(event).toMatchObject({ event_type: "session.evaluated" });
    expect(event.data.status).toBe("processed");
    expect(itemsOf(await readExport(database, customer))).toEqual([event.data]);
  },
);
