import { apiUrl } from "../vendor.ts";
import type { VoicePlace } from "./vendor-voice.ts";
import type { HttpDialect } from "./http-voice.ts";

const MODEL = "gpt-4o-mini-tts";
const VOICE = "alloy";

/** `/audio/speech` of OpenAI and of all who speak its protocol. Its `pcm` is 24 kHz mono. */
export function openai({ config, name }: VoicePlace): HttpDialect {
  const { url = "https://api.openai.com", key, model = MODEL, voice = VOICE } = config;
  const base = apiUrl(url, "http", "/v1");
  return {
    provider: "openai",
    url: `${base}/audio/speech`,
    headers: { authorization: `Bearer ${key ?? "none"}` },
    body: (sentence) => ({ model, voice: name ?? voice, input: sentence, response_format: "pcm" }),
    probeUrl: `${base}/models`,
  };
}
