/** What the page said of a segment, and what reached the loudspeaker meanwhile. */
export interface Played {
  reports: { type: "playback" | "cleared"; position_ms: number; state?: string }[];
  /** 16 bit, at the context's rate, from a quantum's beginning. */
  samples: Int16Array;
}

export interface Verdict {
  /** Of all positions at which sound had stopped, how far the worst was from what had been put out. */
  worstMs: number;
  /** Of all samples that were put out at full strength, how far the worst was from the one that was due; 1 is full scale. */
  worstSample: number;
  stops: number;
}

const QUANTUM = 128;
/** Of 16 bit, what no fade is below for a whole quantum. */
const AUDIBLE = 10;
const STRENGTH = 16_000 / 32_768;

/** Compares what was said with what was put out. Sound begins and ends with a quantum. */
export function judgePlaying({ reports, samples }: Played, rate: number): Verdict {
  const stretches = stretchesOf(samples);
  const positions = reports
    .filter(({ type, state }) => type === "cleared" || state === "paused" || state === "finished")
    .map(({ position_ms }) => position_ms);
  // Between two stops at the same place there was no sound.
  const stops = positions.filter((position, at) => position !== (positions[at - 1] ?? 0));
  if (stops.length !== stretches.length) {
    return { worstMs: Number.POSITIVE_INFINITY, worstSample: 1, stops: stops.length };
  }
  let worstMs = 0;
  let worstSample = 0;
  let before = 0;
  for (const [at, stretch] of stretches.entries()) {
    worstSample = Math.max(worstSample, worstOf(stretch, before, rate));
    // A segment may end in the middle of its last quantum.
    const silent = stretch.length - 1 - stretch.findLastIndex((sample) => sample !== 0);
    before += stretch.length;
    worstMs = Math.max(worstMs, Math.abs(stops[at]! - ((before - silent) / rate) * 1_000));
  }
  return { worstMs, worstSample, stops: stops.length };
}

function stretchesOf(samples: Int16Array): Int16Array[] {
  const stretches: Int16Array[] = [];
  let from: number | undefined;
  for (let at = 0; at <= samples.length; at += QUANTUM) {
    const isSound = samples.subarray(at, at + QUANTUM).some((sample) => Math.abs(sample) > AUDIBLE);
    if (isSound) from ??= at;
    else if (from !== undefined) {
      stretches.push(samples.subarray(from, at));
      from = undefined;
    }
  }
  return stretches;
}

function worstOf(stretch: Int16Array, before: number, rate: number): number {
  let worst = 0;
  for (let at = QUANTUM; at < stretch.length - 2 * QUANTUM; at++) {
    const due = STRENGTH * Math.sin(rising((before + at) / rate));
    // A segment's first samples have nothing before them, and ring.
    if (before + at > 2 * QUANTUM) worst = Math.max(worst, Math.abs(stretch[at]! / 32_767 - due));
  }
  return worst;
}

/** The angle at a time of a tone that rises from 300 Hz by 1 kHz a second: every moment sounds different. */
export function rising(secs: number): number {
  return 2 * Math.PI * (300 * secs + 500 * secs * secs);
}
