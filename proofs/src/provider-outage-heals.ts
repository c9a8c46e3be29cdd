import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel } from "@svc/rehearsal";
import type { Fault } from "@svc/rehearsal";
import { outcomesOf } from "./pipeline/outcomes.ts";
import type { SessionOutcome } from "./pipeline/outcomes.ts";
import { startPipelineProcess } from "./pipeline/pipeline-process.ts";
import { quantile } from "./pipeline/quantile.ts";
import { busiestRate, takenUpAt, watchTakenUp } from "./pipeline/taken-up.ts";
import { addAsker, endTalks } from "./pipeline/talks.ts";
import { defineProof } from "./runner/proof.ts";
import { seconds } from "./runner/table.ts";
import { openStage } from "./stage/stage.ts";

const SIZES = {
  quick: { perSecond: 8, awayMs: 6_000, rate: 10, withinSecs: 10 },
  full: { perSecond: 20, awayMs: 60_000, rate: 40, withinSecs: 30 },
};
/** The ways in which a provider is away. */
const AWAY: Fault[] = [
  { kind: "refuse" },
  { kind: "error_503" },
  { kind: "rate_limit", retryAfterSecs: 2 },
  { kind: "stall" },
];
/** Nobody asks a provider for so long that has failed three times. */
const BREAKER_MS = 5_000;
const LATE_WITHIN_MS = 5_000;
/** Over which the rate is measured: a share is taken up once a second. */
const RATE_SPAN_MS = 5_000;
const FRESH_BOUND = 2;

export default defineProof({
  covers: [],
  claims: {
    "provider-outage-heals": {
      promise:
        "Sessions that end while the language model is away settle in time and are evaluated by themselves once it is back",
      bound: `all healed once, none late, at no more than the configured rate, fresh sessions ≤ ${FRESH_BOUND} times as long as before`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, onEnd, timeLeftMs }) => {
        const { perSecond, awayMs, rate, withinSecs } = full ? SIZES.full : SIZES.quick;
        const stage = await openStage();
        onEnd(() => stage.close());
        const { database } = stage;
        const model = await startLanguageModel();
        onEnd(() => model.close());
        const pipeline = startPipelineProcess(database, "worker", {
          SVC_MODEL_URL: model.baseUrl,
          SVC_MODEL_TIMEOUT_SECS: "1",
          SVC_EVALUATE_WITHIN_SECS: String(withinSecs),
          SVC_REEVALUATE_RATE: String(rate),
        });
        onEnd(async () => {
          pipeline.signal("SIGTERM");
          await pipeline.ended;
        });
        await pipeline.started;
        const customer = await addAsker(database);
        await watchTakenUp(database);
        const end = (forMs: number): Promise<string[]> =>
          endTalks(database, customer, { perSecond, forMs, evaluateWithinSecs: withinSecs });

        // Whatever is slow only once.
        await end(2_000);
        const before = await end(awayMs);

        const away: string[] = [];
        for (const fault of AWAY) {
          await model.setFaults([fault]);
          away.push(...(await end(awayMs)));
        }
        const asked = model.requests().total;
        const errors = (await outcomesOf(database, away)).filter(isError);
        await model.setFaults([]);
        const backAtMs = Date.now();
        const first = await end(BREAKER_MS + 1_000);
        const fresh = await end(awayMs);
        while (!(await outcomesOf(database, away)).every(isProcessed) && timeLeftMs() > 0) {
          await delay(100);
        }

        const healedAfterMs = Date.now() - backAtMs;
        const outcomes = await outcomesOf(database, away);
        const healed = outcomes.filter((one) => isProcessed(one) && one.versions === 1);
        const late = outcomes.filter(
          ({ settledAfterMs }) => settledAfterMs > 1_000 * withinSecs + LATE_WITHIN_MS,
        );
        const takenUp = await takenUpAt(database);
        const busiest = busiestRate(takenUp, RATE_SPAN_MS);
        const p90 = async (ids: string[]): Promise<number> =>
          quantile(
            (await outcomesOf(database, ids)).map((one) => one.settledAfterMs),
            0.9,
          );
        const beforeMs = await p90(before);
        const freshMs = await p90(fresh);
        say(
          `${AWAY.map(({ kind }) => kind).join(", ")}: ${away.length} sessions ended, ${errors.length} had settled as errors when the model was back; it was asked ${asked} times meanwhile`,
        );
        say(
          `all healed ${seconds(healedAfterMs)} later; evaluations were taken up ${takenUp.length} times, at ${busiest.toFixed(1)} a second where most`,
        );
        say(
          `end to settled, p90: ${Math.round(beforeMs)} ms before, ${Math.round(await p90(first))} ms until it was found to be back, ${Math.round(freshMs)} ms beside the backlog`,
        );
        return {
          figure: `${healed.length} of ${away.length} healed once, ${late.length} late, ${busiest.toFixed(1)} a second of ${rate}, fresh ones ${(freshMs / beforeMs).toFixed(2)} times as long`,
          ok:
            healed.length === away.length &&
            late.length === 0 &&
            errors.length > away.length / 2 &&
            busiest <= rate &&
            freshMs <= FRESH_BOUND * beforeMs,
          size: `${away.length} sessions`,
        };
      },
    },
  },
});

function isError({ status }: SessionOutcome): boolean {
  return status === "error";
}

function isProcessed({ status }: SessionOutcome): boolean {
  return status === "processed";
}
