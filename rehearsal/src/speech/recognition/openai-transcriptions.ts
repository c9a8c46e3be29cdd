import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Mistake } from "../../read-value.ts";
import { resampled, samplesOf } from "../sound.ts";
import type { Sound } from "../sound.ts";
import type { SpeechParts } from "../wire.ts";
import { garbled, RECOGNISER_SAMPLE_RATE } from "./recogniser.ts";

const SERVICE = "openai_transcriptions";

/** Answers OpenAI's `/v1/audio/transcriptions`: a form with a WAV file of one utterance. */
export async function openaiTranscriptions(
  form: FormData,
  response: ServerResponse,
  parts: SpeechParts,
): Promise<void> {
  const file = form.get("file");
  if (!(file instanceof File)) throw new Mistake("missing", "file", "a file is missing");
  if (!form.has("model")) throw new Mistake("missing", "model", "a string is missing");
  if ((form.get("response_format") ?? "json") !== "json") {
    throw new Mistake("value", "response_format", "only json is answered here");
  }
  const wav = readWav(Buffer.from(await file.arrayBuffer()));
  const sound = resampled(wav, RECOGNISER_SAMPLE_RATE);
  const given = form.get("language");
  const language = typeof given === "string" ? given : "en";

  const fault = parts.faults.choose("utterance", SERVICE);
  const attention = parts.recogniser.attend();
  const isHeard = fault?.kind !== "deaf" && fault?.kind !== "cut_utterance";
  const heard = isHeard ? (await attention.hear(sound.pcm, "final")).text : "";
  if (!isHeard) attention.abandon();
  const text = garbled(heard, fault?.kind);
  if (fault?.kind === "late_finals") await delay(fault.afterMs);
  const shown = fault && { fault: fault.kind };
  parts.log.note({
    service: SERVICE,
    what: isHeard ? "heard" : "missed",
    text,
    language,
    ...shown,
  });
  if (fault?.kind === "cut_utterance") response.destroy();
  if (!isHeard) return;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text }));
}

const HEADER_BYTES = 12;
const PCM = 1;

/** Reads a WAV file of mono samples of 16 bits. */
function readWav(file: Buffer): Sound {
  let sampleRate: number | undefined;
  for (const { name, bytes } of chunksOf(file)) {
    if (name === "fmt ") sampleRate = sampleRateIn(bytes);
    if (name === "data" && sampleRate !== undefined) {
      return { pcm: samplesOf(bytes), sampleRate, words: [] };
    }
  }
  throw new Mistake("value", "file", "expected a WAV file of mono samples of 16 bits");
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
