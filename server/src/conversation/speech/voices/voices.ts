import { CircuitBreaker, inOrder } from "#models";
import type { Clock, Log } from "#platform";
import type { SpeechConfig, VoiceConfig } from "../vendor.ts";
import { CallVoice } from "./call-voice.ts";
import type { SharedVoice } from "./call-voice.ts";
import { cartesia } from "./cartesia.ts";
import { elevenlabs } from "./elevenlabs.ts";
import { HttpVoice, deepgram, openai } from "./http-voice.ts";
import { SocketVoice } from "./socket-voice.ts";
import { KeptSentences } from "./sound.ts";
import type { VendorVoice, VoiceLimits, VoicePlace } from "./vendor-voice.ts";

export type VoicesOptions = SpeechConfig["voice"] & {
  clock: Clock;
  log: Log;
  limits?: VoiceLimits;
};

/** The voices of a process, each with its circuit breaker. */
export class Voices {
  readonly #options: VoicesOptions;
  readonly #places: { config: VoiceConfig; breaker: CircuitBreaker }[];
  readonly #shared = new Map<string, SharedVoice>();
  readonly #kept = new KeptSentences();

  constructor(options: VoicesOptions) {
    this.#options = options;
    this.#places = inOrder(options).map((config) => ({
      config,
      breaker: new CircuitBreaker(options.clock),
    }));
  }

  /** False while all of them are known to be away. */
  get speak(): boolean {
    return this.#places.some(({ breaker }) => !breaker.isOpen());
  }

  /** The voice of one session. */
  open(language: string, name: string | undefined): CallVoice {
    const { log, limits } = this.#options;
    // Only the first provider knows the name.
    const voices = this.#places.map((_, index) =>
      this.#voice(index, language, index === 0 ? name : undefined),
    );
    // Connects ahead, so that no reply waits for it. A failure shows when the voice is used.
    voices[0]?.voice.probe().catch(() => {});
    return new CallVoice({
      voices,
      kept: this.#kept,
      onTrouble: (provider, err) => log.warn({ provider, err }, "a voice failed"),
      ...(limits !== undefined && { limits }),
    });
  }

  /** Closes idle connections. */
  close(): void {
    for (const { voice } of this.#shared.values()) voice.close();
  }

  #voice(index: number, language: string, name: string | undefined): SharedVoice {
    const id = JSON.stringify([index, language, name]);
    const known = this.#shared.get(id);
    if (known !== undefined) return known;
    const { config, breaker } = this.#places[index]!;
    const voice = createVoice({ config, language, name });
    const shared = { id, voice, breaker };
    this.#shared.set(id, shared);
    return shared;
  }
}

/** The voice of a provider. It connects when it is first needed. */
export function createVoice(place: VoicePlace): VendorVoice {
  switch (place.config.provider) {
    case "cartesia":
      return new SocketVoice(cartesia(place));
    case "elevenlabs":
      return new SocketVoice(elevenlabs(place));
    case "deepgram":
      return new HttpVoice(deepgram(place));
    case "openai":
      return new HttpVoice(openai(place));
  }
}
