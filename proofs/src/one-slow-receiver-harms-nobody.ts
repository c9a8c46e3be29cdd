import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import { addCustomer, addReceiver, seedDeliveries, startScriptedDns } from "@svc/server/testing";
import { startReceiverProcess } from "./deliveries/receiver-process.ts";
import { commitToReceipt } from "./deliveries/steady-talk.ts";
import { startPipelineProcess } from "./pipeline/pipeline-process.ts";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const BOUND = 1.5;
const SLOTS = 8;
const ENDPOINTS = 8;
const SESSIONS_PER_SECOND = 15;
/** Short, so that a busy moment of the machine hits both sides. */
const PHASE_MS = 700;
/** For the dispatcher to notice. */
const SETTLE_MS = 150;

// W5, W8
export default defineProof({
  covers: [],
  claims: {
    "one-slow-receiver-harms-nobody": {
      promise: "A receiver that is slow, dead or flooded costs the others nothing",
      bound: `others' p99 from commit to receipt ≤ ${BOUND} of that without it, ≤ ${SLOTS} requests at once to one`,
      tier: "nightly",
      prove: async ({ full, say, onEnd, timeLeftMs }) => {
        const flood = full ? 100_000 : 10_000;
        const turns = full ? 250 : 12;
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
        const turnBad = (state: "live" | "paused"): Promise<unknown> =>
          pool.query("UPDATE webhook_endpoints SET state = $1 WHERE account_id <> $2", [
            state,
            customer.account.id,
          ]);
        await turnBad("paused");
        const pipeline = startPipelineProcess(database, "pipeline", {
          SVC_MODEL_URL: model.baseUrl,
          SVC_WEBHOOK_PLAIN_HTTP: "on",
          SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
          SVC_DNS_SERVERS: dns.server,
        });
        onEnd(() => pipeline.signal("SIGKILL"));
        await pipeline.started;

        const talk = {
          database,
          customer,
          receiver,
          endpoints: ENDPOINTS,
          perSecond: SESSIONS_PER_SECOND,
        };
        const without: number[] = [];
        const beside: number[] = [];
        await commitToReceipt(talk, 1_000);
        for (let turn = 0; turn < 3 || (timeLeftMs() > 4 * PHASE_MS && turn < turns); turn++) {
          without.push(...(await commitToReceipt(talk, PHASE_MS)));
          await turnBad("live");
          await delay(SETTLE_MS);
          beside.push(...(await commitToReceipt(talk, PHASE_MS)));
          await turnBad("paused");
          await delay(SETTLE_MS);
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
    },
  },
});

function tell(valuesMs: number[]): string {
  const shares = [0.5, 0.9, 0.99, 1].map((share) => quantile(valuesMs, share).toFixed(0));
  return `${shares.join(" / ")} ms of ${valuesMs.length}`;
}
