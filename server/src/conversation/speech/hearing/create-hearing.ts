import { boundedFetch, SPEECH_URLS } from "#platform";
import type { Clock } from "#platform";
import { inference, initializeLogger, stt } from "@livekit/agents";
import { STT as Deepgram } from "@livekit/agents-plugin-deepgram";
import { openSocket } from "../vendor-socket.ts";
import { VendorAway, apiUrl } from "../vendor.ts";
import type { HearingConfig } from "../vendor.ts";
import { TranscribingServer } from "./transcribing-server.ts";

// The plugins throw without a logger. We log the failures that matter ourselves.
initializeLogger({ pretty: false, level: "silent" });

/** The plugins require a key; a self-hosted server may need none. */
const NO_KEY = "none";

/**
 * The silence after which words become final. The end of a turn is detected from the sound itself,
 * and the visitor waits for words that are not final by then; a sentence in two finals does no harm.
 */
const ENDPOINTING_MS = 25;

/** The longest utterance that is kept to be transcribed at once, a third of what is usual: 640 KB. */
const MAX_UTTERANCE_MS = 20_000;

/** A recogniser for one session, as its vendor offers it: for 16 kHz, mono. */
export function createHearing(config: HearingConfig, language: string, clock: Clock): stt.STT {
  const recogniser = recogniserOf(config, language, clock);
  // Without a listener, an `error` event would end the process.
  recogniser.on("error", () => {});
  return recogniser;
}

function recogniserOf(config: HearingConfig, language: string, clock: Clock): stt.STT {
  const key = config.key ?? NO_KEY;
  switch (config.provider) {
    case "deepgram":
      return new Deepgram({
        apiKey: key,
        ...(config.url !== undefined && { baseUrl: apiUrl(config.url, "ws") }),
        model: config.model ?? "nova-3",
        language: deepgramLanguage(language),
        interimResults: true,
        endpointing: ENDPOINTING_MS,
        fillerWords: false,
      });
    case "openai":
      return new stt.StreamAdapter(
        new TranscribingServer({ ...config, key, language, clock }),
        // Not shared with the session's own: the two run on different streams.
        new inference.VAD({ maxBufferedSpeech: MAX_UTTERANCE_MS }),
      );
  }
}

const PROBE_MS = 5_000;
const MAX_ANSWER_BYTES = 1_000_000;

/** Connects and shows the key, without saying anything. Throws `VendorAway` where that fails. */
export async function probeHearing({ provider, url, key = "none" }: HearingConfig): Promise<void> {
  if (provider === "deepgram") {
    const base = apiUrl(url ?? SPEECH_URLS.deepgram, "ws", "/v1");
    const socket = await openSocket({
      provider,
      url: `${base}/listen?encoding=linear16&sample_rate=16000`,
      headers: { authorization: `Token ${key}` },
    });
    return socket.close();
  }
  const base = apiUrl(url ?? SPEECH_URLS.openai, "http", "/v1");
  const response = await boundedFetch(MAX_ANSWER_BYTES)(`${base}/models`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(PROBE_MS),
  }).catch((cause: unknown) => {
    throw VendorAway.unreachable(provider, cause);
  });
  await response.body?.cancel();
  if (!response.ok) throw VendorAway.answered(provider, response.status);
}

/** Deepgram's code for a language. It refuses regions that it does not know, and knows few. */
export function deepgramLanguage(language: string): string {
  const { language: base, baseName, region } = new Intl.Locale(language);
  const known = [baseName, `${base}-${region}`].find((name) => REGIONAL.has(name));
  return known ?? SPOKEN_AS.get(base) ?? base;
}

/** https://developers.deepgram.com/docs/models-languages-overview */
const REGIONAL = new Set([
  "da-DK",
  "de-CH",
  "en-AU",
  "en-GB",
  "en-IN",
  "en-NZ",
  "en-US",
  "es-419",
  "fr-CA",
  "ko-KR",
  "nl-BE",
  "pt-BR",
  "pt-PT",
  "sv-SE",
  "th-TH",
  "zh-CN",
  "zh-HK",
  "zh-Hans",
  "zh-Hant",
  "zh-TW",
]);

const SPOKEN_AS = new Map([
  ["nb", "no"],
  ["nn", "no"],
]);
