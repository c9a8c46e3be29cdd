import type { Mouthed } from "./mouth-page.ts";

export interface MouthVerdict {
  /** Of opening and loudness, at the lag where it is largest. */
  correlation: number;
  lagMs: number;
  /** Of the frames in silence, the share in which the mouth was shut. */
  shut: number;
  silentFrames: number;
}

const MAX_LAG_MS = 400;
const STEP_MS = 5;
/** So long after the last sound a mouth may still be closing. */
const CLOSING_SECS = 0.08;
const SILENT_POWER = 1e-7;

/** Holds what was seen against what was heard. */
export function judgeMouth({ heard, seen }: Mouthed): MouthVerdict {
  let best = { correlation: -1, lagMs: 0 };
  for (let lagMs = 0; lagMs <= MAX_LAG_MS; lagMs += STEP_MS) {
    const loud = seen.map(([at]) => loudnessAt(heard, at - lagMs / 1_000));
    const correlation = correlate(
      seen.map(([, open]) => open),
      loud,
    );
    if (correlation > best.correlation) best = { correlation, lagMs };
  }
  const inSilence = seen.filter(([at]) => isSilent(heard, at - CLOSING_SECS, at));
  const shut = inSilence.filter(([, open]) => open === 0);
  return {
    ...best,
    shut: shut.length / inSilence.length,
    silentFrames: inSilence.length,
  };
}

/** As the ear has it, over the last 30 ms. */
function loudnessAt(heard: Mouthed["heard"], at: number): number {
  const last = heard.filter(([secs]) => secs > at - 0.03 && secs <= at);
  return (last.reduce((sum, [, power]) => sum + power, 0) / Math.max(1, last.length)) ** 0.3;
}

function isSilent(heard: Mouthed["heard"], from: number, to: number): boolean {
  const between = heard.filter(([secs]) => secs >= from && secs <= to);
  return between.length > 0 && between.every(([, power]) => power < SILENT_POWER);
}

function correlate(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [a, b] = [mean(one), mean(other)];
  const product = (x: readonly number[], y: readonly number[], p: number, q: number): number =>
    x.reduce((sum, value, index) => sum + (value - p) * (y[index]! - q), 0);
  return (
    product(one, other, a, b) / Math.sqrt(product(one, one, a, a) * product(other, other, b, b))
  );
}
