import { SPEECH_URLS } from "#platform";
import * as z from "zod";
import { apiUrl } from "../vendor.ts";
import { VOICE_SAMPLE_RATE } from "./sound.ts";
import type { VoicePlace } from "./vendor-voice.ts";
import type { Piece, SocketDialect } from "./socket-voice.ts";

const API_VERSION = "2025-04-16";
const MODEL = "sonic-3";
const VOICE = "f786b574-daa5-4673-aa0c-cbe3e8534c02";

/**
 * Cartesia's `/tts/websocket`. Each sentence is a context: one that waits for more text expires a
 * second after its last sound, and sentences may come later than that.
 */
export function cartesia({ config, language, name }: VoicePlace): SocketDialect {
  const { url = SPEECH_URLS.cartesia, key, model = MODEL, voice = VOICE } = config;
  const request = {
    model_id: model,
    voice: { mode: "id", id: name ?? voice },
    output_format: { container: "raw", encoding: "pcm_s16le", sample_rate: VOICE_SAMPLE_RATE },
    language: language.split("-")[0],
    max_buffer_delay_ms: 0,
    add_timestamps: true,
  };
  return {
    provider: "cartesia",
    url: `${apiUrl(url, "ws")}/tts/websocket`,
    headers: { "X-API-Key": key ?? "none", "Cartesia-Version": API_VERSION },
    ask: (context, sentence) => [
      { ...request, context_id: context, transcript: sentence, continue: false },
    ],
    cancel: (context) => ({ context_id: context, cancel: true }),
    reader: (context) => (message) => {
      const read = cartesiaMessage.parse(message);
      // Messages of an interrupted sentence may still arrive.
      return read.context_id === context ? pieceOf(read) : undefined;
    },
  };
}

const cartesiaMessage = z.object({
  type: z.string(),
  context_id: z.string().nullish(),
  status_code: z.number().nullish(),
  data: z.string().nullish(),
  word_timestamps: z
    .object({ words: z.array(z.string()), start: z.array(z.number()), end: z.array(z.number()) })
    .nullish(),
});

function pieceOf(message: z.output<typeof cartesiaMessage>): Piece | undefined {
  const { type, data, word_timestamps: times, status_code: status } = message;
  if (type === "chunk") return { bytes: Buffer.from(data ?? "", "base64") };
  if (type === "done") return { isLast: true };
  if (type === "error") return { refusal: status ?? 500 };
  return {
    words: times?.words.map((text, index) => ({
      text,
      startMs: (times.start[index] ?? 0) * 1_000,
      endMs: (times.end[index] ?? 0) * 1_000,
    })),
  };
}
