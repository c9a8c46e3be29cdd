/** Converts samples from one rate to another, one at a time and without drift. */
export interface Resampler {
  /** Returns whether another sample must be fed before the next one can be made. */
  isHungry(): boolean;
  feed(sample: number): void;
  make(): number;
}

/** Zero crossings of the kernel on each side. More of them make a steeper filter. */
const ZERO_CROSSINGS = 24;
/** The part of the band that is kept. Above it the filter falls, and is at zero where tones would alias. */
const KEPT_BAND = 0.9;

/**
 * A windowed sinc for each phase between the two rates. The first output sample has the time of the
 * first input sample; the kernel needs a few samples of look-ahead.
 */
export function createResampler(fromRate: number, toRate: number): Resampler {
  const divisor = greatestDivisor(fromRate, toRate);
  const phases = toRate / divisor;
  const step = fromRate / divisor;
  const narrowing = Math.min(1, toRate / fromRate);
  const half = Math.ceil(ZERO_CROSSINGS / narrowing);
  const taps = 2 * half;
  const kernel = new Float32Array(phases * taps);
  for (let at = 0; at < kernel.length; at++) {
    kernel[at] = weigh(half - (at % taps) - Math.floor(at / taps) / phases, half, narrowing);
  }

  const recent = new Float32Array(taps);
  let newest = 0;
  /** The position of the next output sample between two input samples. */
  let phase = phases * (half + 1);

  return {
    isHungry: () => phase >= phases,
    feed(sample) {
      newest = (newest + 1) % taps;
      recent[newest] = sample;
      phase -= phases;
    },
    make() {
      let sum = 0;
      for (let tap = 0; tap < taps; tap++) {
        sum += kernel[phase * taps + tap]! * recent[(newest - tap + taps) % taps]!;
      }
      phase += step;
      return sum;
    },
  };
}

function weigh(distance: number, half: number, narrowing: number): number {
  const angle = Math.PI * distance;
  const band = KEPT_BAND * narrowing;
  const sinc = distance === 0 ? band : Math.sin(band * angle) / angle;
  const blackman = 0.42 + 0.5 * Math.cos(angle / half) + 0.08 * Math.cos((2 * angle) / half);
  return sinc * blackman;
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
