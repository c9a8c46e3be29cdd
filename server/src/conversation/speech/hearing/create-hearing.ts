import { inference, initializeLogger, stt } from "@livekit/agents";
import { STT as Deepgram } from "@livekit/agents-plugin-deepgram";
import type { Clock } from "#platform";
import { apiUrl } from "../vendor.ts";
import type { HearingConfig } from "../vendor.ts";
import { deepgramLanguage } from "./deepgram-language.ts";
import { TranscribingServer } from "./transcribing-server.ts";

// The plugins refuse to be made without it. What matters of their troubles we log ourselves.
initializeLogger({ pretty: false, level: "silent" });

/** Whatever the plugins insist on: a server of one's own may need no key. */
const NO_KEY = "none";

/**
 * Quiet after which words become final. The end of a turn is told from the sound itself, and words
 * that are not final by then are what the visitor waits for; a sentence in two finals costs nothing.
 */
const ENDPOINTING_MS = 25;

/** The longest utterance that is kept to be transcribed at once, a third of what is usual: 640 KB. */
const MAX_UTTERANCE_MS = 20_000;

/** A recogniser for one session, as its vendor offers it: for 16 kHz, mono. */
export function createHearing(config: HearingConfig, language: string, clock: Clock): stt.STT {
  const recogniser = recogniserOf(config, language, clock);
  // One that fails while nobody listens would end the process.
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
        // Beside the session's own: they count in different sound, and one cannot be shared.
        new inference.VAD({ maxBufferedSpeech: MAX_UTTERANCE_MS }),
      );
  }
}
