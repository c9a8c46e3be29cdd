import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import { Random } from "@svc/tools/random";
import { checkSessions, countOpen, longestMs } from "./kills/check-sessions.ts";
import { endSessions, persist } from "./kills/end-sessions.ts";
import { Fleet } from "./kills/fleet.ts";
import type { Failpoints } from "./kills/fleet.ts";
import { PAUSE_MS } from "./kills/freeze-one.ts";
import { hammer } from "./kills/hammer.ts";
import { readJobLog, recoveries, watchJobs } from "./kills/job-log.ts";
import { makeKillable } from "./kills/killable-postgres.ts";
import { startNaiveControl } from "./kills/naive-control.ts";
import { quantile } from "./pipeline/quantile.ts";
import { addAsker } from "./pipeline/talks.ts";
import { defineProof } from "./runner/proof.ts";
import { openStage } from "./stage/stage.ts";

const RUN_AGAIN_WITHIN_MS = 20_000;
const LATE_WITHIN_MS = 5_000;
const PER_SECOND = 12;
const MODEL_TAKES_MS = 250;
/** For the last orphans: a lease, its recovery, and their evaluation. */
const SETTLE_WITHIN_MS = 22_000;
const FAILPOINTS: Failpoints = {
  "evaluate:claimed": 0.2,
  "evaluate:answered": 0.2,
  "evaluate:writing": 0.2,
  "evaluate:written": 0.2,
  "sweep:settling": 0.5,
};
/** Twenty and all five places are wished for; a slow machine has not the time for as many. */
const ENOUGH_KILLS = 12;
const ENOUGH_PLACES = 3;
/** So that the frozen process does not take everything that the others could fail at. */
const FROZEN_AT_ONCE = 6;

export default defineProof({
  covers: [],
  claims: {
    "evaluations-survive-kills": {
      promise:
        "Every session that ends is evaluated once and settles in time, whatever is killed meanwhile",
      bound: `0 lost, doubled, unsettled or written late, deadlines overrun by ≤ ${LATE_WITHIN_MS / 1_000} s, killed jobs run again within ${RUN_AGAIN_WITHIN_MS / 1_000} s at p99`,
      timeLimitSecs: { quick: 90, full: 2700 },
      tier: "nightly",
      prove: async ({ seed, full, say, progress, onEnd, timeLeftMs }) => {
        const wanted = full ? 5_000 : 20;
        const random = new Random(seed);
        const stage = await openStage({ durable: true });
        onEnd(() => stage.close());
        const { database } = stage;
        await watchJobs(database);
        const postgres = await makeKillable(stage);
        const model = await startLanguageModel({ delayMs: MODEL_TAKES_MS });
        onEnd(() => model.close());

        const compiled = await mkdtemp(join(tmpdir(), "svc-compiled-"));
        onEnd(() => rm(compiled, { recursive: true, force: true }));
        const environment = {
          NODE_COMPILE_CACHE: compiled,
          SVC_MODEL_URL: model.baseUrl,
          SVC_EVALUATE_WITHIN_SECS: "30",
        };
        const fleet = new Fleet(database, environment, FAILPOINTS);
        onEnd(() => fleet.stop());
        await fleet.prepare();
        for (const failpoints of [true, false, false]) fleet.keep({ failpoints });
        await fleet.ready();
        const control = await startNaiveControl(database, PER_SECOND, MODEL_TAKES_MS);
        onEnd(() => control.stop());
        const customer = await addAsker(database);
        const load = await endSessions(database, customer, random, PER_SECOND);
        const blows = await hammer({
          fleet,
          postgres,
          control,
          database,
          random,
          frozenEnvironment: {
            SVC_EVALUATE_AT_ONCE: String(FROZEN_AT_ONCE),
            SVC_FAILPOINTS: `evaluate:answered=delay(${PAUSE_MS})`,
          },
          kills: wanted,
          mayGoOn: () => timeLeftMs() > SETTLE_WITHIN_MS,
          onProgress: (kills) => progress(kills, wanted, "kills"),
        });
        const kills = fleet.deaths.length + blows.backends + blows.postgres;
        fleet.calm();
        await load.stop();
        const { given, lost: lostByControl } = await control.end();
        // A start whose answer got lost is nobody's: without this it has a minute to connect.
        await persist(() =>
          database.pool.query(
            "UPDATE sessions SET connect_by = clock_timestamp() WHERE connected_at IS NULL",
          ),
        );
        while ((await persist(() => countOpen(database))) > 0 && timeLeftMs() > 0) await delay(200);
        await delay(1_000);

        const found = await persist(() => checkSessions(database, load.acknowledged));
        const log = await persist(() => readJobLog(database));
        const overrunMs = longestMs(found.overruns, blows.outages);
        const { gapsMs, unexplained } = recoveries(log, [
          ...fleet.deaths,
          ...blows.outages.map(({ fromMs }) => ({ atMs: fromMs })),
          blows.frozen.since,
        ]);
        const asked = model.requests().total;
        await fleet.stop();

        const atFailpoints = Object.keys(FAILPOINTS).map(
          (name) => `${name} ${fleet.diedAt.get(name) ?? 0}`,
        );
        say(
          `${kills} kills: ${blows.backends} backends, ${blows.postgres} times PostgreSQL, the others processes, of these ${atFailpoints.join(", ")}; seed ${seed}`,
        );
        say(
          `${found.sessions} sessions, ${found.overdue} settled before their evaluation came; the model was asked ${asked} times`,
        );
        say(
          `${gapsMs.length} jobs cut short ran again after ${ms(quantile(gapsMs, 0.5))} (p50), ${ms(quantile(gapsMs, 0.99))} (p99), ${ms(Math.max(...gapsMs))} (most); ${unexplained} ran again for no reason`,
        );
        say(
          `frozen with ${blows.frozen.held} jobs in hand, ${blows.frozen.writtenLate} written late; deadlines overrun by ${ms(overrunMs)} at most`,
        );
        say(`control, jobs taken off before they are done: lost ${lostByControl} of ${given}`);
        for (const fault of fleet.faults.slice(0, 10)) say(`fault: ${fault}`);

        const p99 = quantile(gapsMs, 0.99);
        return {
          figure: `${found.lost} lost, ${found.doubled} doubled, ${found.unsettled} unsettled of ${found.sessions} after ${kills} kills, ${blows.frozen.writtenLate} written late, overrun ${ms(overrunMs)}, again within ${ms(p99)}, ${fleet.faults.length} faults; control lost ${lostByControl}`,
          ok:
            found.lost + found.doubled + found.unsettled + fleet.faults.length + unexplained ===
              0 &&
            overrunMs <= LATE_WITHIN_MS &&
            gapsMs.length >= 20 &&
            p99 <= RUN_AGAIN_WITHIN_MS &&
            blows.frozen.held > 0 &&
            blows.frozen.writtenLate === 0 &&
            kills >= ENOUGH_KILLS &&
            fleet.diedAt.size >= ENOUGH_PLACES &&
            lostByControl > 0,
          size: `${kills} kills, ${found.sessions} sessions`,
        };
      },
    },
  },
});

function ms(value: number): string {
  return `${(value / 1_000).toFixed(1)} s`;
}
