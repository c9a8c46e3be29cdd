import { inOrder } from "#models";
import type { Clock, Log } from "#platform";
import { checkSpeech } from "./check-speech.ts";
import { probeHearing } from "./hearing/create-hearing.ts";
import { Recognisers } from "./hearing/recognisers.ts";
import type { WatchedSpeech } from "./speech.ts";
import { VendorWatch } from "./vendor-watch.ts";
import type { SpeechConfig } from "./vendor.ts";
import { Voices, createVoice } from "./voices/voices.ts";

export interface SpeechOptions extends SpeechConfig {
  clock: Clock;
  log: Log;
}

/** Speech for the conversations of this process. Nothing connects before it is needed or watched. */
export function createSpeech(options: SpeechOptions): WatchedSpeech {
  const { clock, log } = options;
  const recognisers = new Recognisers({ ...options.hearing, clock, log });
  const voices = new Voices({ ...options.voice, clock, log });
  // A probe does not depend on the language.
  const probed = inOrder(options.voice).map((config) =>
    createVoice({ config, language: "en", name: undefined }),
  );
  const watch = new VendorWatch(
    [
      ...inOrder(options.hearing).map((config) => ({
        part: "hearing" as const,
        provider: config.provider,
        probe: () => probeHearing(config),
      })),
      ...probed.map((voice) => ({
        part: "voice" as const,
        provider: voice.provider,
        probe: () => voice.probe(),
      })),
    ],
    log,
  );
  return {
    get answers() {
      return recognisers.hear && voices.speak && watch.has("hearing") && watch.has("voice");
    },
    prices: options.prices,
    hearing: (language, account) => recognisers.open(language, account),
    voice: (language, name, account) => voices.open(language, name, account),
    watch: () => watch.start(),
    stopWatching() {
      watch.stop();
      voices.close();
      for (const voice of probed) voice.close();
    },
    check: () => checkSpeech(options),
  };
}
