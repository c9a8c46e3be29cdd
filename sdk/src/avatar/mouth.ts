import type { Pose } from "./rig.ts";

/** Derives the mouth's shape from the sound that is played. */
export type Mouth = (
  analyser: AnalyserNode | undefined,
  elapsedMs: number,
) => Pick<Pose, "open" | "wide">;

/** Below this loudness it is silence. */
const SILENCE = 0.06;
/** Smooths the movement. Short enough that no lag is visible. */
const EASE_MS = 14;

export function createMouth(): Mouth {
  const wave = new Float32Array(1_024);
  const tones = new Uint8Array(512);
  let open = 0;
  let wide = 0;
  return (analyser, elapsedMs) => {
    let goal = 0;
    if (analyser) {
      analyser.getFloatTimeDomainData(wave);
      analyser.getByteFrequencyData(tones);
      // Perceived loudness: ten times the amplitude is about four times as loud.
      const loudness = Math.min(1, 2.4 * mean(wave.map((sample) => sample * sample)) ** 0.3);
      const strength = (fromHz: number, toHz: number): number => {
        const bin = analyser.context.sampleRate / 1_024;
        return mean(tones.slice(fromHz / bin, toHz / bin)) / 255;
      };
      const middle = strength(600, 1_200);
      if (loudness > SILENCE) {
        // "ah" is strong where "ee" and "oo" are weak; "ee" is bright, "oo" is dark.
        goal = loudness * (0.75 + 0.25 * Math.tanh(8 * (middle - strength(200, 450)) + 1));
        wide = Math.tanh(2 * (strength(1_900, 3_000) - middle) + 0.8);
      }
    }
    // Silence closes the mouth at once, because the sound before it has faded.
    open = goal && open + (goal - open) * ease(elapsedMs, EASE_MS);
    return { open, wide };
  };
}

/** The share of the distance that is covered in this time. */
export function ease(elapsedMs: number, easeMs: number): number {
  return 1 - Math.exp(-elapsedMs / easeMs);
}

function mean(values: Float32Array | Uint8Array): number {
  return (values as Float32Array).reduce((sum, value) => sum + value, 0) / values.length;
}
