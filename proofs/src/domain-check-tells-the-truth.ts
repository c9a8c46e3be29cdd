import { setTimeout as delay } from "node:timers/promises";
import { playHanging, playOthers } from "./domains/play-others.ts";
import { checkLate } from "./domains/check-late.ts";
import { checkTruth } from "./domains/check-truth.ts";
import { flawedCheck, FLAWS } from "./domains/flawed-check.ts";
import { killCheck } from "./domains/killed-check.ts";
import { GOOD_DOMAIN, HANGING_DOMAIN } from "./domains/name-server.ts";
import { noticeFlaws } from "./domains/notice-flaws.ts";
import { openWorld } from "./domains/world.ts";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { seconds } from "./runner/table.ts";
import { openStage } from "./stage/stage.ts";

/** Of what the control takes. Behind sixty names that hang, sixteen at a time, it would be four. */
const HARM_BOUND = 0.5;
/** As the product has it. */
const PATIENCE = { timeout: 1_500, tries: 2 };
/** For the pipeline to take up what hangs. */
const SETTLE_MS = 500;

// D1, D2, D3, D4, D5, D6, K12
export default defineProof({
  covers: [],
  claims: {
    "domain-check-tells-the-truth": {
      promise:
        "email_verified is what a domain's name servers say, absent while they say nothing, and nobody waits for those that hang",
      bound: `0 wrong, every planted fault noticed, others beside names that hang ≤ ${HARM_BOUND} of a wait for one`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, onEnd }) => {
        const hanging = full ? 200 : 60;
        const stage = await openStage();
        onEnd(() => stage.close());
        const world = await openWorld(stage, onEnd);
        const { database, names } = world;

        const without = await playOthers(database, "without", 10);
        await playHanging(database, hanging);
        await delay(SETTLE_MS);
        const [beside, behindMs] = await Promise.all([
          playOthers(database, "beside", full ? 100 : 20),
          oneAfterAnother(names.server),
        ]);
        const median = (values: number[]): number => quantile(values, 0.5);
        const checks = median(beside.checks) / behindMs;
        const evaluations = median(beside.evaluations) / behindMs;

        const elsewhere = await stage.cloneDatabase();
        const [truth, late, killed] = await Promise.all([
          checkTruth(world),
          checkLate(world),
          killCheck(elsewhere, names, world.environment, onEnd),
        ]);
        const flaws = await noticeFlaws(names);

        for (const fault of [...truth.wrong, ...late.wrong]) say(`  ${fault}`);
        say(`${truth.checked} domains and addresses: ${truth.wrong.length} wrong`);
        say(
          `${late.checked} domains that answered after the session was settled: ${late.wrong.length} wrong in the export, or told by a second event`,
        );
        say(
          `killed between answer and storing: asked ${killed.asked.join(", then ")} times, email_verified ${killed.verified.map(String).join(", then ")}, ${seconds(killed.tookMs)} later`,
        );
        say(`planted faults: ${[...flaws].map(([flaw, shown]) => `${flaw} ${shown}`).join(", ")}`);
        say(
          `checks took ${ms(median(without.checks))}, beside ${hanging} names that hang ${ms(median(beside.checks))}; evaluations ${ms(median(without.evaluations))} and ${ms(median(beside.evaluations))}`,
        );
        say(`control, one after another: a good name waits ${ms(behindMs)} behind one that hangs`);
        const wrong = truth.wrong.length + late.wrong.length;
        const noticed = FLAWS.filter((flaw) => flaws.get(flaw)! > 0).length;
        return {
          figure: `${wrong} wrong of ${truth.checked + late.checked}, ${noticed} of ${FLAWS.length} planted faults noticed, checks ${checks.toFixed(2)} and evaluations ${evaluations.toFixed(2)} of a wait`,
          ok:
            wrong === 0 &&
            noticed === FLAWS.length &&
            flaws.get("none") === 0 &&
            killed.asked.every((times) => times > 0) &&
            killed.verified[0] === null &&
            killed.verified[1] === true &&
            checks <= HARM_BOUND &&
            evaluations <= HARM_BOUND,
          size: `${truth.checked + late.checked} sessions, ${hanging} names that hang`,
        };
      },
    },
  },
});

/** How long a good domain takes when it waits for its turn behind one that hangs. */
async function oneAfterAnother(server: string): Promise<number> {
  const startedAt = performance.now();
  for (const domain of [`first.${HANGING_DOMAIN}`, `second.${GOOD_DOMAIN}`]) {
    await flawedCheck(server, domain, "none", PATIENCE);
  }
  return performance.now() - startedAt;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
