import { SPEECH_URLS } from "#platform";
import * as z from "zod";
import type { TimedWord } from "../../heard/word-times.ts";
import { apiUrl } from "../vendor.ts";
import { VOICE_SAMPLE_RATE } from "./sound.ts";
import type { VoicePlace } from "./vendor-voice.ts";
import type { SocketDialect } from "./socket-voice.ts";

const MODEL = "eleven_flash_v2_5";
const VOICE = "bIHbv24MWmeRgasZH58o";
const IDLE_SECS = 180;

/** ElevenLabs' `multi-stream-input`. The protocol cannot cancel, so an interruption closes the connection. */
export function elevenlabs({ config, language, name }: VoicePlace): SocketDialect {
  const { url = SPEECH_URLS.elevenlabs, key, model = MODEL, voice = VOICE } = config;
  const query = new URLSearchParams({
    model_id: model,
    output_format: `pcm_${VOICE_SAMPLE_RATE}`,
    language_code: language.split("-")[0] ?? language,
    inactivity_timeout: String(IDLE_SECS),
    sync_alignment: "true",
    auto_mode: "true",
  });
  const path = `text-to-speech/${encodeURIComponent(name ?? voice)}/multi-stream-input`;
  return {
    provider: "elevenlabs",
    url: `${apiUrl(url, "ws", "/v1")}/${path}?${query.toString()}`,
    headers: { "xi-api-key": key ?? "none" },
    ask: (context, sentence) => [
      { context_id: context, text: " ", voice_settings: {} },
      { context_id: context, text: `${sentence} `, flush: true },
      { context_id: context, close_context: true },
    ],
    reader: (context) => {
      const words = new WordsOfCharacters();
      return (message) => {
        const read = elevenlabsMessage.parse(message);
        if ((read.contextId ?? context) !== context) return undefined;
        if (typeof read.error === "string") return { refusal: STATUS[read.error] ?? 500 };
        const { alignment: times, audio, isFinal } = read;
        const isLast = isFinal === true;
        return {
          bytes: audio ? Buffer.from(audio, "base64") : undefined,
          words: [...(times ? words.take(times) : []), ...(isLast ? words.end() : [])],
          isLast,
        };
      };
    },
  };
}

const STATUS: Record<string, number> = {
  invalid_api_key: 401,
  quota_exceeded: 429,
  voice_id_does_not_exist: 404,
  model_not_found: 404,
};

const alignment = z.object({
  chars: z.array(z.string()),
  charStartTimesMs: z.array(z.number()),
  charDurationsMs: z.array(z.number()),
});

const elevenlabsMessage = z.object({
  contextId: z.string().nullish(),
  audio: z.string().nullish(),
  isFinal: z.boolean().nullish(),
  /** The alignment refers to the text as we sent it, not as the vendor spells it out. */
  alignment: alignment.nullish(),
  error: z.string().nullish(),
});

/** Joins timed characters into timed words. A word may span two messages. */
class WordsOfCharacters {
  #word: TimedWord | undefined;

  take({ chars, charStartTimesMs, charDurationsMs }: z.output<typeof alignment>): TimedWord[] {
    const words: TimedWord[] = [];
    for (const [index, char] of chars.entries()) {
      const startMs = charStartTimesMs[index] ?? 0;
      const endMs = startMs + (charDurationsMs[index] ?? 0);
      if (char.trim() === "") words.push(...this.end());
      else if (this.#word === undefined) this.#word = { text: char, startMs, endMs };
      else this.#word = { ...this.#word, text: this.#word.text + char, endMs };
    }
    return words;
  }

  end(): TimedWord[] {
    const word = this.#word;
    this.#word = undefined;
    return word === undefined ? [] : [word];
  }
}
