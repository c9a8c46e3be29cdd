import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import type { WebhookReceiver } from "@svc/rehearsal";
import {
  addCustomer,
  addReceiver,
  playEvaluated,
  seedDeliveries,
  startScriptedDns,
} from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { startPipelineProcess } from "../pipeline/pipeline-process.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim } from "../runner/proof.ts";
import { openStage } from "../stage/stage.ts";
import { startReceiverProcess } from "./receiver-process.ts";

const BOUND = 1.5;
const SLOTS = 8;
const ENDPOINTS = 8;
const SESSIONS_PER_SECOND = 15;
/** Short, so that a busy moment of the machine hits both sides. */
const PHASE_MS = 700;
/** For the dispatcher to notice. */
const SETTLE_MS = 150;
const GIVE_UP_MS = 10_000;

export const slowReceiver: Claim<undefined> = {
  promise: "A receiver that is slow, dead or flooded costs the others nothing",
  bound: `others' p99 from commit to receipt ≤ ${BOUND} of that without it, ≤ ${SLOTS} requests at once to one`,
  tier: "nightly",
  prove: async ({ sized, say, onEnd, timeLeftMs }) => {
    const { flood, turns } = sized({
      quick: { flood: 10_000, turns: 12 },
      full: { flood: 100_000, turns: 250 },
    });
    const stage = await openStage();
    onEnd(() => stage.close());
    const { database } = stage;
    const { db, pool } = database;
    const model = await startLanguageModel();
    onEnd(() => model.close());
    const dns = await startScriptedDns(({ name }) =>
      name === "silent.test" ? "silence" : "servfail",
    );
    onEnd(() => dns.close());

    const customer = await addCustomer(db);
    const receiver = await startWebhookReceiver();
    onEnd(() => receiver.close());
    for (let number = 1; number <= ENDPOINTS; number++) {
      await addReceiver(db, customer, `${receiver.url}/${number}`);
    }
    const bad = await startReceiverProcess({
      faults: [
        { kind: "silent", path: "/black-hole" },
        { kind: "drip", path: "/drip" },
        { kind: "status", status: 500, path: "/failing" },
      ],
    });
    onEnd(() => bad.stop());
    const due = {
      [`${bad.url}/flooded`]: flood,
      [`${bad.url}/failing`]: flood / 2,
      [`${bad.url}/black-hole`]: 500,
      [`${bad.url}/drip`]: 500,
      "http://silent.test/": 500,
      "http://broken.test/": 500,
    };
    for (const [url, count] of Object.entries(due)) {
      const other = await addCustomer(db);
      const { id } = await addReceiver(db, other, url);
      await seedDeliveries(pool, other, [id], count);
    }
    const turnBad = async (state: "live" | "paused"): Promise<void> => {
      const change = "UPDATE webhook_endpoints SET state = $1 WHERE account_id <> $2";
      await pool.query(change, [state, customer.account.id]);
      await delay(SETTLE_MS);
    };
    await turnBad("paused");
    const pipeline = startPipelineProcess(database, "pipeline", {
      SVC_MODEL_URL: model.baseUrl,
      SVC_DNS_SERVERS: dns.server,
    });
    onEnd(() => pipeline.signal("SIGKILL"));
    await pipeline.started;

    const without: number[] = [];
    const beside: number[] = [];
    const measure = (forMs: number): Promise<number[]> =>
      commitToReceipt(database, customer, receiver, forMs);
    await measure(1_000);
    for (let turn = 0; turn < 3 || (timeLeftMs() > 4 * PHASE_MS && turn < turns); turn++) {
      without.push(...(await measure(PHASE_MS)));
      await turnBad("live");
      beside.push(...(await measure(PHASE_MS)));
      await turnBad("paused");
    }

    const { paths } = await bad.counts();
    for (const [path, { total, mostOpen }] of Object.entries(paths)) {
      say(`${path}: ${total} requests, at most ${mostOpen} at once`);
    }
    say(`from commit to receipt, p50 / p90 / p99 / most: ${tell(without)} without them`);
    say(`${tell(beside)} beside them`);
    const ratio = quantile(beside, 0.99) / quantile(without, 0.99);
    const mostOpen = Math.max(...Object.values(paths).map((path) => path.mostOpen));
    return {
      figure: `p99 ${ratio.toFixed(2)} of that without them, at most ${mostOpen} at once to one`,
      ok: ratio <= BOUND && mostOpen === SLOTS && Object.keys(paths).length === 4,
      size: `${beside.length.toLocaleString("en")} deliveries beside ${flood.toLocaleString("en")} due to one`,
    };
  },
};

/**
 * Writes evaluations for so long, in another process than the one that delivers. From the commit
 * of each to each receipt, in milliseconds.
 */
async function commitToReceipt(
  { db, pool }: TestDatabase,
  customer: Customer,
  receiver: WebhookReceiver,
  forMs: number,
): Promise<number[]> {
  const before = receiver.counts().total;
  const until = performance.now() + forMs;
  const talking: Promise<unknown>[] = [];
  while (performance.now() < until) {
    talking.push(playEvaluated(db, customer));
    await delay(1_000 / SESSIONS_PER_SECOND);
  }
  await Promise.all(talking);
  const expected = before + talking.length * ENDPOINTS;
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (receiver.counts().total < expected && performance.now() < giveUpAt) await delay(20);

  const { rows } = await pool.query<{ id: string; atMs: number }>(
    `SELECT 'evt_' || replace(event.id::text, '-', '') AS id, extract(epoch FROM max(d.created_at))::float8 * 1000 AS "atMs"
     FROM webhook_events AS event JOIN deliveries AS d ON d.event_id = event.id
     WHERE event.session_id IN (SELECT id FROM sessions WHERE account_id = $1) GROUP BY event.id`,
    [customer.account.id],
  );
  const committed = new Map(rows.map(({ id, atMs }) => [id, atMs]));
  return receiver
    .requests(before)
    .map(({ webhookId = "", atMs }) => atMs - (committed.get(webhookId) ?? Number.NaN));
}

function tell(valuesMs: number[]): string {
  const shares = [0.5, 0.9, 0.99, 1].map((share) => quantile(valuesMs, share).toFixed(0));
  return `${shares.join(" / ")} ms of ${valuesMs.length}`;
}
