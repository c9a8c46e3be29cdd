import { setImmediate as breathe } from "node:timers/promises";
import { Random } from "@svc/tools/random";
import type { Tools } from "../runner/proof.ts";
import { modelHistory, RULES } from "./model.ts";
import type { Findings } from "./model.ts";

export interface ModelOutcome {
  histories: number;
  kept: Findings;
  /** The same rules without the settled prefix, on one history in a hundred. */
  control: Findings;
  /** The first history that broke a promise: seed and number repeat it. */
  firstBroken: number | undefined;
}

const CONTROL_EVERY = 100;
const BREATHE_EVERY = 5_000;

export async function runModel(
  tools: Tools,
  options: { seed: number; histories: number },
): Promise<ModelOutcome> {
  const outcome: ModelOutcome = {
    histories: 0,
    kept: none(),
    control: none(),
    firstBroken: undefined,
  };
  while (outcome.histories < options.histories && tools.timeLeftMs() > 0) {
    const number = outcome.histories++;
    const found = modelHistory(new Random(options.seed, number));
    add(outcome.kept, found);
    if (isBroken(found)) outcome.firstBroken ??= number;
    if (number % CONTROL_EVERY === 0) {
      add(
        outcome.control,
        modelHistory(new Random(options.seed, number), { ...RULES, settledPrefix: false }),
      );
    }
    if (number % BREATHE_EVERY === 0) {
      tools.progress(number, options.histories, "model histories");
      await breathe();
    }
  }
  return outcome;
}

function none(): Findings {
  return { expected: 0, lost: 0, endlessLoops: 0, wronglyShown: 0 };
}

function add(sum: Findings, found: Findings): void {
  sum.expected += found.expected;
  sum.lost += found.lost;
  sum.endlessLoops += found.endlessLoops;
  sum.wronglyShown += found.wronglyShown;
}

function isBroken(found: Findings): boolean {
  return found.lost + found.endlessLoops + found.wronglyShown > 0;
}
