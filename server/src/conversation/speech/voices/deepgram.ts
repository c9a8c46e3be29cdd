import { apiUrl } from "../vendor.ts";
import { VOICE_SAMPLE_RATE } from "./vendor-voice.ts";
import type { VoicePlace } from "./vendor-voice.ts";
import type { HttpDialect } from "./http-voice.ts";

const VOICE = "aura-2-andromeda-en";

/**
 * Deepgram's `/v1/speak`, where the model is the voice. Over its WebSocket sound comes only with a
 * flush, of which it takes twenty a minute: fewer than sentences.
 */
export function deepgram({ config, name }: VoicePlace): HttpDialect {
  const { url = "https://api.deepgram.com", key, model, voice } = config;
  const base = apiUrl(url, "http");
  const query = new URLSearchParams({
    model: name ?? voice ?? model ?? VOICE,
    encoding: "linear16",
    sample_rate: String(VOICE_SAMPLE_RATE),
    container: "none",
  });
  return {
    provider: "deepgram",
    url: `${base}/v1/speak?${query.toString()}`,
    headers: { authorization: `Token ${key ?? "none"}` },
    body: (sentence) => ({ text: sentence }),
    probeUrl: `${base}/v1/projects`,
  };
}
