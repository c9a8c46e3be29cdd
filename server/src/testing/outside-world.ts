import { createLanguageModel } from "#evaluation";
import type { EvaluationModels, LanguageModel } from "#evaluation";
import { systemClock } from "#platform";
import { startLanguageModel, startSpeech } from "@svc/rehearsal";
import type { LanguageModel as Rehearsal, RehearsalSpeech, SpeechOptions } from "@svc/rehearsal";
import { speechAt } from "./server-process.ts";

/** Stand-ins for the services of a conversation: a language model, speech-to-text and a voice. */
export interface OutsideWorld {
  model: Rehearsal;
  speech: RehearsalSpeech;
  /** Lets a server ask them. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

export async function startOutsideWorld(options: SpeechOptions = {}): Promise<OutsideWorld> {
  const model = await startLanguageModel();
  const speech = await startSpeech(options);
  return {
    model,
    speech,
    environment: {
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      ...speechAt(speech.url),
    },
    close: async () => void (await Promise.all([model.close(), speech.close()])),
  };
}

/** Two models of one stand-in, asked over the network as the product asks. Faults can be set for one by its name. */
export interface RehearsedModels {
  rehearsal: Rehearsal;
  models: EvaluationModels & { fallback: LanguageModel };
}

/** The price of a million tokens: one millionth of the currency for each token in, two for each token out. */
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
