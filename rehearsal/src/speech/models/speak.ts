import { join } from "node:path";
import type { Sound } from "../sound.ts";
import type { FliteJob, FliteVoice } from "./flite-worker.ts";
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
