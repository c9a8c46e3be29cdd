import { createLanguageModel } from "#models";
import type { LanguageModel } from "#models";
import type { EvaluationModels } from "#evaluation";
import { systemClock } from "#platform";
import { startLanguageModel } from "@svc/rehearsal";
import type { LanguageModel as Rehearsal } from "@svc/rehearsal";

/** Two models of one stand-in, asked over the network as the product asks. Faults can be set for one by its name. */
export interface RehearsedModels {
  rehearsal: Rehearsal;
  models: EvaluationModels & { fallback: LanguageModel };
}

/** What a million tokens cost: one millionth of the currency for each token in, two for each token out. */
const PRICE = { input: 1_000_000, output: 2_000_000 };

/** Called `first` and `fallback`. Close the stand-in at the end. */
export async function startRehearsedModels({
  timeoutMs = 1_000,
}: { timeoutMs?: number } = {}): Promise<RehearsedModels> {
  const rehearsal = await startLanguageModel();
  const model = (name: string): LanguageModel =>
    createLanguageModel({
      name,
      timeoutMs,
      url: rehearsal.baseUrl,
      key: undefined,
      price: PRICE,
      clock: systemClock,
    });
  return { rehearsal, models: { first: model("first"), fallback: model("fallback") } };
}
