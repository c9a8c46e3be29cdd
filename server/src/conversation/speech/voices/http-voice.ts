import { boundedFetch, SPEECH_URLS } from "#platform";
import { VendorAway, apiUrl } from "../vendor.ts";
import type { VoiceConfig } from "../vendor.ts";
import { PcmBytes, VOICE_SAMPLE_RATE } from "./sound.ts";
import type { Sound } from "./sound.ts";
import type { VendorVoice, VoicePlace } from "./vendor-voice.ts";

/** A vendor's HTTP protocol: a sentence in the request, its sound as the response body. */
export interface HttpDialect {
  provider: VoiceConfig["provider"];
  url: string;
  headers: Record<string, string>;
  body(sentence: string): object;
  /** Costs nothing, and needs a valid key. */
  probeUrl: string;
}

const PROBE_MS = 5_000;
/** Three minutes of sound: no sentence is longer. */
const MAX_SOUND_BYTES = 9_000_000;

/** A voice over HTTP. It reports no times of words, only where the sentence begins. */
export class HttpVoice implements VendorVoice {
  readonly provider: VoiceConfig["provider"];
  readonly #dialect: HttpDialect;
  readonly #fetch = boundedFetch(MAX_SOUND_BYTES);

  constructor(dialect: HttpDialect) {
    this.#dialect = dialect;
    this.provider = dialect.provider;
  }

  async say(sentence: string, signal: AbortSignal, onSound: (sound: Sound) => void): Promise<void> {
    const { url, headers, body } = this.#dialect;
    const response = await this.#ask(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body(sentence)),
      signal,
    });
    const samples = new PcmBytes();
    let words = [{ text: sentence, startMs: 0 }];
    try {
      for await (const bytes of response.body ?? []) {
        const pcm = samples.take(bytes);
        if (pcm.length === 0) continue;
        onSound({ pcm, words });
        words = [];
      }
    } catch (cause) {
      signal.throwIfAborted();
      throw new VendorAway(`${this.provider} broke off`, { cause });
    }
  }

  async probe(): Promise<void> {
    const { probeUrl, headers } = this.#dialect;
    const response = await this.#ask(probeUrl, { headers, signal: AbortSignal.timeout(PROBE_MS) });
    await response.body?.cancel();
  }

  /** Idle connections close by themselves. */
  close(): void {}

  async #ask(url: string, request: RequestInit & { signal: AbortSignal }): Promise<Response> {
    let response: Response;
    try {
      response = await this.#fetch(url, request);
    } catch (cause) {
      request.signal.throwIfAborted();
      throw VendorAway.unreachable(this.provider, cause);
    }
    if (response.ok) return response;
    await response.body?.cancel();
    throw VendorAway.answered(this.provider, response.status);
  }
}

const DEEPGRAM_VOICE = "aura-2-andromeda-en";

/**
 * Deepgram's `/v1/speak`, where the model is the voice. Over its WebSocket sound comes only with a
 * flush, of which it takes twenty a minute: fewer than sentences.
 */
export function deepgram({ config, name }: VoicePlace): HttpDialect {
  const { url = SPEECH_URLS.deepgram, key, model, voice } = config;
  const base = apiUrl(url, "http");
  const query = new URLSearchParams({
    model: name ?? voice ?? model ?? DEEPGRAM_VOICE,
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

const OPENAI_MODEL = "gpt-4o-mini-tts";
const OPENAI_VOICE = "alloy";

/** `/audio/speech` of OpenAI and of all who speak its protocol. Its `pcm` is 24 kHz mono. */
export function openai({ config, name }: VoicePlace): HttpDialect {
  const { url = SPEECH_URLS.openai, key, model = OPENAI_MODEL, voice = OPENAI_VOICE } = config;
  const base = apiUrl(url, "http", "/v1");
  return {
    provider: "openai",
    url: `${base}/audio/speech`,
    headers: { authorization: `Bearer ${key ?? "none"}` },
    body: (sentence) => ({ model, voice: name ?? voice, input: sentence, response_format: "pcm" }),
    probeUrl: `${base}/models`,
  };
}
