import type * as Speech from "./speech/create-speech.ts";

/** Loads what hears and speaks, which is most of what the engine loads too. */
export function loadSpeech(): Promise<typeof Speech> {
  return import("./speech/create-speech.ts");
}
