import type { AudioFrame } from "@livekit/rtc-node";

/** The loudness of a sound, as a share of the loudest possible one. */
export function loudnessOf(samples: Int16Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return Math.sqrt(energy / samples.length) / 32_768;
}

const QUIET = 0.004;
const SENT_SECS = 1;

/**
 * Leaves out quiet, but for its first second: the rule of the library's `AudioEnergyFilter`, which makes two arrays
 * of every frame. With that, looking for quiet took an eighth of all that a talking visitor costs.
 */
export class QuietFilter {
  #leftSecs = SENT_SECS;

  passes({ data, samplesPerChannel, sampleRate }: AudioFrame): boolean {
    if (loudnessOf(data) > QUIET) this.#leftSecs = SENT_SECS;
    else this.#leftSecs -= samplesPerChannel / sampleRate;
    return this.#leftSecs > 0;
  }
}
