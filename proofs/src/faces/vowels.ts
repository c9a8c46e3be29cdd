/** The resonances of a vowel, in hertz, and whether it is said with an open mouth. */
export const VOWELS: { name: string; formants: [number, number, number]; isOpen: boolean }[] = [
  { name: "ah", formants: [730, 1_090, 2_440], isOpen: true },
  { name: "ee", formants: [270, 2_290, 3_010], isOpen: false },
  { name: "aw", formants: [640, 1_000, 2_410], isOpen: true },
  { name: "oo", formants: [300, 870, 2_240], isOpen: false },
];

/** A sung vowel as a throat and a mouth make it: pulses through three resonances. All are equally loud. */
export function sing(formants: readonly number[], ms: number, rate: number): Float64Array {
  const length = Math.round((ms / 1_000) * rate);
  let sound: Float64Array = Float64Array.from({ length }, (_, at) =>
    at % Math.round(rate / 118) === 0 ? 1 : 0,
  );
  for (const hertz of formants) sound = resonate(sound, hertz, 90, rate);
  const power = Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / length);
  const edge = 0.02 * rate;
  return sound.map(
    (sample, at) => (0.15 * sample * Math.min(1, at / edge, (length - at) / edge)) / power,
  );
}

function resonate(sound: Float64Array, hertz: number, width: number, rate: number): Float64Array {
  const radius = Math.exp((-Math.PI * width) / rate);
  const turn = 2 * radius * Math.cos((2 * Math.PI * hertz) / rate);
  let [last, before] = [0, 0];
  return sound.map((sample) => {
    const made = sample + turn * last - radius * radius * before;
    [last, before] = [made, last];
    return made;
  });
}
