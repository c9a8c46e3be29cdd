import { wrongValue } from "../../shape.ts";
import { samplesOf } from "../sound.ts";
import type { Sound } from "../sound.ts";

const HEADER_BYTES = 12;
const PCM = 1;

/** Reads a WAV file of mono samples of 16 bits. */
export function readWav(file: Buffer): Sound {
  let sampleRate: number | undefined;
  for (const { name, bytes } of chunksOf(file)) {
    if (name === "fmt ") sampleRate = sampleRateIn(bytes);
    if (name === "data" && sampleRate !== undefined) {
      return { pcm: samplesOf(bytes), sampleRate, words: [] };
    }
  }
  return wrongValue("file", "expected a WAV file of mono samples of 16 bits");
}

function* chunksOf(file: Buffer): Iterable<{ name: string; bytes: Buffer }> {
  if (file.toString("latin1", 0, 4) !== "RIFF") return;
  for (let at = HEADER_BYTES; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    yield {
      name: file.toString("latin1", at, at + 4),
      bytes: file.subarray(at + 8, at + 8 + size),
    };
    // Chunks are padded to an even length.
    at += 8 + size + (size % 2);
  }
}

function sampleRateIn(bytes: Buffer): number | undefined {
  if (bytes.length < 16) return undefined;
  const [format, channels, bits] = [0, 2, 14].map((place) => bytes.readUInt16LE(place));
  return format === PCM && channels === 1 && bits === 16 ? bytes.readUInt32LE(4) : undefined;
}
