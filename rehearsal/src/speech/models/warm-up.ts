import { speak } from "./speak.ts";
import { transcribe } from "./transcribe.ts";

/** Loads the models, so that the first visitor does not wait for them. Resolves with how long it took. */
export async function warmUp({ ears, voice }: { ears: boolean; voice: boolean }): Promise<number> {
  const startedAt = performance.now();
  const silence = new Int16Array(16_000);
  await Promise.all([
    // One for each recogniser.
    ears && transcribe(silence),
    ears && transcribe(silence),
    voice && speak("Ready.", { voice: "slt" }),
  ]);
  return performance.now() - startedAt;
}
