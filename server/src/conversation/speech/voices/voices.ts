import { AccountBreakers, inOrder } from "#models";
import type { Account } from "#models";
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

/** The voices of a process, each with a circuit breaker for every account. */
export class Voices {
  readonly #options: VoicesOptions;
  readonly #places: { config: VoiceConfig; breakers: AccountBreakers }[];
  readonly #shared = new Map<string, VendorVoice>();
  readonly #kept = new KeptSentences();

  constructor(options: VoicesOptions) {
    this.#options = options;
    this.#places = inOrder(options).map((config) => ({
      config,
      breakers: new AccountBreakers(options.clock),
    }));
  }

  /** False while all of them are known to be away. */
  get speak(): boolean {
    return this.#places.some(({ breakers }) => !breakers.isOpen());
  }

  /** The voice of one session. */
  open(language: string, name: string | undefined, account: Account): CallVoice {
    const { log, limits } = this.#options;
    // Only the first provider knows the name.
    const voices = this.#places.map((_, index) =>
      this.#voice(index, { language, name: index === 0 ? name : undefined, account }),
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
    for (const voice of this.#shared.values()) voice.close();
  }

  #voice(
    index: number,
    { language, name, account }: { language: string; name: string | undefined; account: Account },
  ): SharedVoice {
    const id = JSON.stringify([index, language, name]);
    const { config, breakers } = this.#places[index]!;
    const voice = this.#shared.get(id) ?? createVoice({ config, language, name });
    this.#shared.set(id, voice);
    return { id, voice, breaker: breakers.forAccount(account) };
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
