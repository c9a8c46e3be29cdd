import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { Mistake, wrongValue } from "../../shape.ts";
import type { SpeechParts } from "../speech-parts.ts";
import { resampled } from "../sound.ts";
import { EARS_SAMPLE_RATE, garbled } from "./ears.ts";
import { readWav } from "./read-wav.ts";

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
  const format = form.get("response_format") ?? "json";
  if (format !== "json") wrongValue("response_format", "only json is answered here");
  const sound = resampled(readWav(Buffer.from(await file.arrayBuffer())), EARS_SAMPLE_RATE);
  const given = form.get("language");
  const language = typeof given === "string" ? given : "en";

  const fault = parts.switches.choose("utterance", SERVICE);
  const attention = parts.ears.attend();
  const isHeard = fault?.kind !== "deaf" && fault?.kind !== "cut_utterance";
  const heard = isHeard ? (await attention.hear(sound.pcm, "final")).text : "";
  if (!isHeard) attention.abandon();
  const text = garbled(heard, fault?.kind);
  if (fault?.kind === "late_finals") await delay(fault.afterMs);
  const shown = fault && { fault: fault.kind };
  parts.log.add({ service: SERVICE, what: isHeard ? "heard" : "missed", text, language, ...shown });
  if (fault?.kind === "cut_utterance") response.destroy();
  if (!isHeard) return;
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text }));
}
