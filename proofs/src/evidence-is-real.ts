import { Random } from "@svc/tools/random";
import { brokenCheckers } from "./evidence/broken-checkers.ts";
import { judgeOutput } from "./evidence/judge-output.ts";
import { makeCase } from "./evidence/model-output.ts";
import { faultsIn } from "./evidence/oracle.ts";
import { defineProof } from "./runner/proof.ts";

/** Enough for every broken checker to meet what it gets wrong, several times over. */
const CASES_FOR_BROKEN = 400;

export default defineProof({
  covers: [],
  claims: {
    "evidence-is-real": {
      promise:
        "Nothing is published about a conversation that it does not show, and what it shows is not lost.",
      bound: "0 made up, 0 lost, every broken checker noticed",
      tier: "nightly",
      prove: async ({ seed, full, say, progress, timeLeftMs }) => {
        const cases = full ? 1_000_000 : 10_000;
        const sum = { cases: 0, refused: 0, madeUp: 0, lost: 0, dropped: 0 };
        say(`seed ${seed}`);

        let unnoticed = 0;
        for (const [name, breakIt] of Object.entries(brokenCheckers)) {
          const broken = breakIt(judgeOutput);
          const noticed: string[] = [];
          let index = 0;
          for (; noticed.length === 0 && index < CASES_FOR_BROKEN; index++) {
            const one = makeCase(new Random(seed, index));
            noticed.push(...faultsIn(one, await broken(one.text, one.talk)));
          }
          if (noticed.length === 0) unnoticed += 1;
          say(
            `control, a checker that ${name}, after ${index}: ${noticed[0]?.slice(0, 120) ?? "unnoticed"}`,
          );
        }

        for (let index = 0; index < cases && timeLeftMs() > 0; index++) {
          const one = makeCase(new Random(seed, index));
          const checked = await judgeOutput(one.text, one.talk);
          const faults = faultsIn(one, checked);
          sum.cases += 1;
          sum.dropped += checked?.dropped.length ?? 0;
          if (one.expected === undefined) sum.refused += 1;
          if (faults.some((fault) => fault.startsWith("LOST"))) sum.lost += 1;
          if (faults.some((fault) => fault.startsWith("MADE UP"))) sum.madeUp += 1;
          if (sum.lost + sum.madeUp <= 10)
            for (const fault of faults) say(`case ${index}: ${fault}`);
          progress(index + 1, cases, "outputs");
        }
        const count = (number: number): string => number.toLocaleString("en");
        say(
          `${count(sum.refused)} outputs were unreadable, ${count(sum.dropped)} claims were dropped`,
        );

        return {
          figure: `${sum.madeUp} made up and ${sum.lost} lost in ${count(sum.cases)} outputs, ${unnoticed} broken checkers unnoticed`,
          ok: sum.madeUp + sum.lost + unnoticed === 0 && sum.cases >= (full ? 100_000 : 1_000),
          size: `${count(sum.cases)} outputs`,
        };
      },
    },
  },
});
