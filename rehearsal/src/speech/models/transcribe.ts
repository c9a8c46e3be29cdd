import { join } from "node:path";
import type { MoonshineJob, MoonshineResult } from "./moonshine-worker.ts";
import { weightsFolder } from "./weights.ts";
import { WorkerPool } from "./worker-pool.ts";

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

let fetching: Promise<string> | undefined;

/** Else each recogniser would fetch its own. */
async function weightsAreThere(): Promise<void> {
  try {
    await (fetching ??= weightsFolder());
  } catch (error) {
    // The network may be back the next time.
    fetching = undefined;
    throw error;
  }
}
