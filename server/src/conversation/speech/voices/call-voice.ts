import type { Breaker } from "#models";
import { tts } from "@livekit/agents";
import { VendorAway } from "../vendor.ts";
import { VOICE_SAMPLE_RATE, later } from "./sound.ts";
import type { KeptSentences, Sound } from "./sound.ts";
import { SpokenSentence } from "./spoken-sentence.ts";
import { sayInTime } from "./vendor-voice.ts";
import type { VendorVoice, VoiceLimits } from "./vendor-voice.ts";

export interface CallVoiceOptions {
  /** In the order in which they are tried. */
  voices: SharedVoice[];
  kept: KeptSentences;
  onTrouble: (provider: string, error: unknown) => void;
  limits?: VoiceLimits;
}

/** A voice that all sessions of a process share, with the circuit breaker of the session's account. */
export interface SharedVoice {
  /** Unique in the process. */
  id: string;
  voice: VendorVoice;
  breaker: Breaker;
}

export interface SayRequest {
  sentence: string;
  signal: AbortSignal;
  /** True for a sentence that is said in other sessions too: its sound is cached. */
  isFixed?: boolean | undefined;
  /** Times of words are counted from the first sound of the sentence. */
  onSound: (sound: Sound) => void;
}

const LIMITS: VoiceLimits = { firstSoundMs: 3_000, gapMs: 2_000 };
const SPEAKABLE = /[\p{L}\p{N}]/u;

/**
 * The voice of one session. When it fails, the next one continues with the first unspoken word and
 * is kept: a voice that changes back and forth is worse than one that changed once.
 */
export class CallVoice extends tts.TTS {
  readonly label = "svc.CallVoice";
  readonly #options: Required<CallVoiceOptions>;
  /** The voice that speaks now, then those that may take over. */
  #order: SharedVoice[];

  constructor(options: CallVoiceOptions) {
    super(VOICE_SAMPLE_RATE, 1, { streaming: false });
    this.#options = { limits: LIMITS, ...options };
    this.#order = options.voices;
  }

  /** Throws `VoiceAway` when no voice can say it, or the rest of it. Resolves when it is aborted. */
  async say(request: SayRequest): Promise<void> {
    const { sentence, signal, onSound } = request;
    const failures: unknown[] = [];
    let offsetMs = 0;
    for (let text = sentence; SPEAKABLE.test(text) && !signal.aborted;) {
      const spoken = new SpokenSentence(text);
      const asked = this.#order[0]!;
      const hand = (sound: Sound): void => onSound(later(sound, offsetMs));
      try {
        return await this.#sayWith(asked, spoken, { ...request, onSound: hand });
      } catch (error) {
        if (signal.aborted) return;
        this.#fallBack(asked, error);
        // Without progress the loop would never end.
        if (spoken.rest === text) failures.push(error);
        if (failures.length === this.#order.length) throw new VoiceAway(failures);
      }
      offsetMs += spoken.soundMs;
      text = spoken.rest;
    }
  }

  /** Required by the library and never called: speech goes through `speakSentences`. */
  synthesize(): never {
    throw new Error("CallVoice says sentences");
  }

  stream(): never {
    throw new Error("CallVoice says sentences");
  }

  async #sayWith(
    { id, voice, breaker }: SharedVoice,
    spoken: SpokenSentence,
    { sentence, signal, onSound, isFixed = false }: SayRequest,
  ): Promise<void> {
    const { limits, kept } = this.#options;
    const isKept = isFixed && spoken.text === sentence;
    const known = isKept ? kept.find(id, spoken.text) : undefined;
    if (known !== undefined) return known.forEach(onSound);

    const sounds: Sound[] = [];
    const hand = (sound: Sound | undefined): void => {
      if (sound === undefined || signal.aborted) return;
      if (isKept) sounds.push(sound);
      onSound(sound);
    };
    await breaker.guard(async () => {
      const take = (sound: Sound): void => hand(spoken.take(sound));
      await sayInTime(voice, spoken.text, { limits, signal, onSound: take });
      if (!spoken.hasSounded) throw new VendorAway(`${voice.provider} had no sound for a sentence`);
    });
    hand(spoken.end());
    if (isKept && !signal.aborted) kept.keep(id, spoken.text, sounds);
  }

  #fallBack(failed: SharedVoice, error: unknown): void {
    this.#options.onTrouble(failed.voice.provider, error);
    // The next sentence is synthesised at the same time and may have failed first.
    if (this.#order[0] === failed) this.#order = [...this.#order.slice(1), failed];
  }
}

/** Every voice has failed. The conversation continues in text. */
export class VoiceAway extends Error {
  constructor(failures: unknown[]) {
    const why = failures.map((error) => (error instanceof Error ? error.message : "failed"));
    super(`nobody is left to speak: ${why.join("; ")}`, { cause: failures.at(-1) });
    this.name = "VoiceAway";
  }
}
