/** Mono sound of 16 bits a sample, and what is said in it. */
export interface Sound {
  pcm: Int16Array<ArrayBuffer>;
  sampleRate: number;
  words: TimedWord[];
}

export interface TimedWord {
  text: string;
  startMs: number;
  endMs: number;
}

/** The same sound with another number of samples a second, by cubic interpolation. */
export function resampled(sound: Sound, sampleRate: number): Sound {
  if (sound.sampleRate === sampleRate) return sound;
  const { pcm } = sound;
  const step = sound.sampleRate / sampleRate;
  const out = new Int16Array(Math.floor(pcm.length / step));
  for (let index = 0; index < out.length; index += 1) {
    const at = Math.floor(index * step);
    const part = index * step - at;
    const [before, here] = [pcm[at - 1] ?? 0, pcm[at] ?? 0];
    const [next, after] = [pcm[at + 1] ?? 0, pcm[at + 2] ?? 0];
    const slope = 2 * before - 5 * here + 4 * next - after;
    const bend = 3 * (here - next) + after - before;
    const value = here + 0.5 * part * (next - before + part * (slope + part * bend));
    out[index] = Math.max(-32_768, Math.min(32_767, value));
  }
  return { ...sound, pcm: out, sampleRate };
}

/** The bytes of samples, as they stand on every wire. */
export function bytesOf(pcm: Int16Array): Buffer {
  return Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
}

/** Samples that own their memory. A last odd byte is left out. */
export function samplesOf(bytes: Uint8Array): Int16Array<ArrayBuffer> {
  const own = Uint8Array.from(bytes.subarray(0, bytes.length & ~1));
  return new Int16Array(own.buffer);
}

/**
 * When each word sounds, by flite's phones: `timed` is all of them, each with the second of its end ("pau:0.2 hh:0.31"), and
 * `perWord` those of each word with pauses between ("pau hh ax l ow pau"). Where the two differ, by the words' letters.
 */
export function wordTimes(words: readonly string[], timed: string, perWord: string): TimedWord[] {
  const phones = spokenPhones(timed);
  if (phones.length === 0) return words.map((text) => ({ text, startMs: 0, endMs: 0 }));
  const counts = perWord
    .split(/\bpau\b/)
    .map((group) => group.split(" ").filter(Boolean).length)
    .filter((count) => count > 0);
  const isExact = counts.length === words.length && sum(counts) === phones.length;
  const weights = isExact ? counts : words.map((word) => word.length);
  const phonesPerWeight = phones.length / sum(weights);
  let before = 0;
  return words.map((text, index) => {
    const first = Math.min(Math.round(before * phonesPerWeight), phones.length - 1);
    before += weights[index]!;
    const last = Math.max(first, Math.round(before * phonesPerWeight) - 1);
    return { text, startMs: phones[first]!.startMs, endMs: phones[last]!.endMs };
  });
}

function spokenPhones(timed: string): { startMs: number; endMs: number }[] {
  let startMs = 0;
  const spoken = [];
  for (const one of timed.split(" ")) {
    const [phone = "", endSecs = ""] = one.split(":");
    const endMs = Math.round(Number(endSecs) * 1_000);
    if (phone !== "pau" && Number.isFinite(endMs)) spoken.push({ startMs, endMs });
    startMs = endMs;
  }
  return spoken;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
