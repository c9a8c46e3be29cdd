import { join } from "node:path";
import type { Sound } from "../sound.ts";
import type { FliteJob, FliteVoice } from "./flite-worker.ts";
import type { MoonshineJob, MoonshineResult } from "./moonshine-worker.ts";
import { weightsFolder } from "./weights.ts";
import { WorkerPool } from "./worker-pool.ts";

const flite = new WorkerPool<FliteJob, Sound>(join(import.meta.dirname, "flite-worker.ts"), 1);

/** Says a text, at 16 kHz. `rms` is a man's voice, for visitors unless told; `slt` a woman's. */
export function speak(
  text: string,
  { voice = "rms" }: { voice?: FliteVoice } = {},
): Promise<Sound> {
  return flite.run({ text, voice });
}

/** A sound that has no spelling, by its phones: "m m hh m m" is "mhm". At 16 kHz. */
export function hum(
  phones: string,
  { voice = "rms" }: { voice?: FliteVoice } = {},
): Promise<Sound> {
  return flite.run({ phones: `pau ${phones} pau`, voice });
}

const RECOGNISERS = 2;
const SAMPLES_PER_MS = 16;
const SHORTEST_MS = 400;
const QUIET_AFTER_MS = 100;

const moonshine = new WorkerPool<MoonshineJob, MoonshineResult>(
  join(import.meta.dirname, "moonshine-worker.ts"),
  RECOGNISERS,
);

/** What is said in 16 kHz sound, in English, and how sure that is. What is not urgent waits for what is. */
export async function transcribe(
  pcm: Int16Array,
  { isUrgent = true }: { isUrgent?: boolean } = {},
): Promise<MoonshineResult> {
  const quietSamples = QUIET_AFTER_MS * SAMPLES_PER_MS;
  const samples = Math.max(pcm.length + quietSamples, SHORTEST_MS * SAMPLES_PER_MS);
  const padded = new Int16Array(samples);
  padded.set(pcm);
  // Without a little noise after it, the last word is lost.
  for (let at = pcm.length; at < samples; at += 1) padded[at] = ((at * 7_919) % 21) - 10;
  await weightsAreThere();
  return moonshine.run(padded, isUrgent);
}

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

let fetching: Promise<string> | undefined;

/** Without this, each recogniser would fetch its own. */
async function weightsAreThere(): Promise<void> {
  try {
    await (fetching ??= weightsFolder());
  } catch (error) {
    // The network may be back the next time.
    fetching = undefined;
    throw error;
  }
}
