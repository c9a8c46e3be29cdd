import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startWebhookReceiver } from "@svc/rehearsal";
import { addCustomer, addReceiver } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { checkEvents } from "./deliveries/check-events.ts";
import { startForgetfulControl } from "./deliveries/forgetful-control.ts";
import { survivalFaults } from "./deliveries/judge-survival.ts";
import { matchRequests } from "./deliveries/judge-deliveries.ts";
import { countUnfinished, readDeliveries } from "./deliveries/recorded-delivery.ts";
import { replayOrphans } from "./deliveries/replay-orphans.ts";
import { writeEvents } from "./deliveries/write-events.ts";
import { countOpen } from "./kills/check-sessions.ts";
import { endSessions, persist } from "./kills/end-sessions.ts";
import { Fleet } from "./kills/fleet.ts";
import type { Failpoints } from "./kills/fleet.ts";
import { PAUSE_MS } from "./kills/freeze-one.ts";
import { hammer } from "./kills/hammer.ts";
import { readCutDeliveries, readJobLog, recoveries, watchJobs } from "./kills/job-log.ts";
import { makeKillable } from "./kills/killable-postgres.ts";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const RUN_AGAIN_WITHIN_MS = 20_000;
/** Written by the whole pipeline with a model, and without. */
const SESSIONS_PER_SECOND = 4;
const EVENTS_PER_SECOND = 6;
const RETRY_MS = 2_000;
/** For the last orphans: a lease, its recovery, and their retries. */
const FINISH_WITHIN_MS = 20_000;
/** Twenty and all five places are wished for; a slow machine has not the time for as many. */
const ENOUGH_KILLS = 12;
const ENOUGH_PLACES = 3;
const FAILPOINTS: Failpoints = {
  "deliver:claimed": 0.1,
  "deliver:answered": 0.1,
  "deliver:recording": 0.1,
  "deliver:recorded": 0.1,
  "evaluate:writing": 0.5,
};
const CONTROL = "/forgetful";

// K6, K7, K8, K9, K10, K13, K14, K15, P2, W13
export default defineProof({
  covers: [],
  claims: {
    "deliveries-survive-kills": {
      promise:
        "Every evaluation that is written reaches its receivers, whatever is killed meanwhile",
      bound: `0 events lost, wrong or late, requests ≤ outcomes + crashes of ours, killed attempts run again within ${RUN_AGAIN_WITHIN_MS / 1_000} s at p99`,
      timeLimitSecs: { quick: 90, full: 2700 },
      tier: "nightly",
      prove: async ({ seed, full, say, progress, onEnd, timeLeftMs }) => {
        const wanted = full ? 10_000 : 20;
        const random = new Random(seed);
        const stage = await openStage({ durable: true });
        onEnd(() => stage.close());
        const { database } = stage;
        const orphans = await stage.cloneDatabase();
        await watchJobs(database);
        const postgres = await makeKillable(stage);
        // Some answers cannot be read, and those sessions fail.
        const model = await startLanguageModel({
          delayMs: 100,
          faults: [{ kind: "prose", share: 0.1 }],
        });
        onEnd(() => model.close());
        const receiver = await startWebhookReceiver({
          faults: [
            { kind: "late", afterMs: 300, path: "/slow", share: 0.5 },
            ...["/failing", CONTROL].map((path) => ({
              kind: "status" as const,
              status: 503,
              path,
              share: 0.3,
            })),
          ],
        });
        onEnd(() => receiver.close());
        const customer = await addCustomer(database.db);
        const paths = new Map<string, string>();
        for (const path of ["/well", "/slow", "/failing"]) {
          paths.set((await addReceiver(database.db, customer, receiver.url + path)).id, path);
        }

        const directory = await mkdtemp(join(tmpdir(), "svc-compiled-"));
        onEnd(() => rm(directory, { recursive: true, force: true }));
        const environment = {
          NODE_COMPILE_CACHE: directory,
          SVC_MODEL_URL: model.baseUrl,
          SVC_WEBHOOK_PLAIN_HTTP: "on",
          SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
          SVC_WEBHOOK_RETRY_SECS: String(RETRY_MS / 1_000),
        };
        const fleet = new Fleet(database, environment, FAILPOINTS);
        onEnd(() => fleet.stop());
        await fleet.prepare();
        for (const failpoints of [true, true, false, false]) fleet.keep({ failpoints });
        await fleet.ready();
        const control = await startForgetfulControl(database, receiver, CONTROL, {
          retryMs: RETRY_MS,
          perSecond: EVENTS_PER_SECOND,
        });
        onEnd(() => control.stop());
        const events = writeEvents(database, customer, random, EVENTS_PER_SECOND);
        const sessions = await endSessions(database, customer, random, SESSIONS_PER_SECOND);
        const blows = await hammer({
          fleet,
          postgres,
          control,
          database,
          random,
          frozenEnvironment: {
            SVC_DELIVER_AT_ONCE: "6",
            SVC_FAILPOINTS: `deliver:answered=delay(${PAUSE_MS})`,
          },
          kills: wanted,
          mayGoOn: () => timeLeftMs() > FINISH_WITHIN_MS,
          onProgress: (kills) => progress(kills, wanted, "kills"),
        });
        const kills = fleet.deaths.length + blows.backends + blows.postgres;
        fleet.calm();
        // Takes as long as the last leases do.
        const drilling = replayOrphans({
          database: orphans,
          receiver,
          environment,
          directory,
          timeLeftMs,
        });
        const [{ committed, lost: forgotten }] = await Promise.all([
          control.end(),
          events.stop(),
          sessions.stop(),
        ]);
        // Sessions first: one that is still evaluated makes another delivery.
        for (const count of [countOpen, countUnfinished]) {
          while ((await persist(() => count(database))) > 0 && timeLeftMs() > 0) await delay(200);
        }
        await delay(500);

        const found = await persist(() => checkEvents(database, events.acknowledged));
        const cut = await persist(() => readCutDeliveries(database));
        // Its row counts crashes of ours only, but every run that was cut short may have cost a request.
        const deliveries = (await persist(() => readDeliveries(database))).map((one) => ({
          ...one,
          orphans: cut.get(one.id) ?? 0,
        }));
        const witnessed = matchRequests(deliveries, receiver.requests(), paths);
        const faults = [...witnessed.flatMap(survivalFaults), ...(await drilling), ...fleet.faults];
        const { gapsMs, unexplained } = recoveries(await persist(() => readJobLog(database)), [
          ...fleet.deaths,
          ...blows.outages.map(({ fromMs }) => ({ atMs: fromMs })),
          blows.frozen.since,
        ]);
        await fleet.stop();

        const { frozen } = blows;
        const p99 = quantile(gapsMs, 0.99);
        const atFailpoints = Object.keys(FAILPOINTS).map(
          (name) => `${name} ${fleet.diedAt.get(name) ?? 0}`,
        );
        say(
          `${kills} kills: ${blows.backends} backends, ${blows.postgres} times PostgreSQL, the others processes, of these ${atFailpoints.join(", ")}; seed ${seed}`,
        );
        const again = deliveries.filter((one) => one.orphans > 0).length;
        say(
          `${found.events} events, ${deliveries.length} deliveries, ${again} of them cut short and sent again, ${found.orphaned} orphaned; ${witnessed.reduce((sum, one) => sum + one.requests.length, 0)} requests`,
        );
        say(
          `${gapsMs.length} jobs cut short ran again after ${seconds(quantile(gapsMs, 0.5))} (p50), ${seconds(p99)} (p99), ${seconds(Math.max(...gapsMs))} (most); ${unexplained} ran again for no reason`,
        );
        say(`frozen with ${frozen.held} jobs in hand, ${frozen.writtenLate} written late`);
        say(`control, sent after the commit and remembered: lost ${forgotten} of ${committed}`);
        for (const fault of faults.slice(0, 10)) say(`fault: ${fault}`);

        return {
          figure: `${found.vanished + found.missing} events lost, ${found.wrong} wrong of ${found.events} after ${kills} kills, ${frozen.writtenLate} recorded late, again within ${seconds(p99)}, ${faults.length} faults; control lost ${forgotten}`,
          ok:
            found.vanished + found.missing + found.wrong + faults.length + unexplained === 0 &&
            gapsMs.length >= 20 &&
            p99 <= RUN_AGAIN_WITHIN_MS &&
            frozen.held > 0 &&
            frozen.writtenLate === 0 &&
            kills >= ENOUGH_KILLS &&
            fleet.diedAt.size >= ENOUGH_PLACES &&
            forgotten > 0,
          size: `${kills.toLocaleString("en")} kills, ${found.events.toLocaleString("en")} events`,
        };
      },
    },
  },
});

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
