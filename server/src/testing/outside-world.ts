import { startLanguageModel, startSpeech } from "@svc/rehearsal";
import type { LanguageModel, RehearsalSpeech, SpeechOptions } from "@svc/rehearsal";
import { speechAt } from "./server-process.ts";

/** Stand-ins for all that a conversation asks: a language model, ears and a voice. */
export interface OutsideWorld {
  model: LanguageModel;
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
