import type { CircuitBreaker } from "#models";
import { tts } from "@livekit/agents";
import { VendorAway } from "../vendor.ts";
import { VOICE_SAMPLE_RATE, later } from "./sound.ts";
import type { KeptSentences, Sound } from "./sound.ts";
import { SpokenSentence } from "./spoken-sentence.ts";
import { sayInTime } from "./vendor-voice.ts";
import type { VendorVoice, VoiceLimits } from "./vendor-voice.ts";

export interface CallVoiceOptions {
  /** The first, and who speaks when it cannot. */
  voices: SharedVoice[];
  kept: KeptSentences;
  onTrouble: (provider: string, error: unknown) => void;
  limits?: VoiceLimits;
}

/** A voice that all calls of a process speak through, and whether they may. */
export interface SharedVoice {
  /** Tells it from every other. */
  id: string;
  voice: VendorVoice;
  breaker: CircuitBreaker;
}

export interface SayRequest {
  sentence: string;
  signal: AbortSignal;
  /** It will be said in other calls too: its sound is kept, and from then on comes at once. */
  isFixed?: boolean | undefined;
  /** Times of words are counted from the first sound of the sentence. */
  onSound: (sound: Sound) => void;
}

const LIMITS: VoiceLimits = { firstSoundMs: 3_000, gapMs: 2_000 };
const SPEAKABLE = /[\p{L}\p{N}]/u;

/**
 * The voice of one call. When it fails, another goes on from the word that was not said any more,
 * and stays: a voice that comes and goes is worse than one that changed.
 */
export class CallVoice extends tts.TTS {
  readonly label = "svc.CallVoice";
  readonly #options: Required<CallVoiceOptions>;
  /** Who is asked first stands first. */
  #order: SharedVoice[];

  constructor(options: CallVoiceOptions) {
    super(VOICE_SAMPLE_RATE, 1, { streaming: false });
    this.#options = { limits: LIMITS, ...options };
    this.#order = options.voices;
  }

  /** Throws `VoiceAway` when there is nobody left to say it, or the rest of it. Just ends when it is aborted. */
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
        // Without a word said, the same would happen for ever.
        if (spoken.rest === text) failures.push(error);
        if (failures.length === this.#order.length) throw new VoiceAway(failures);
      }
      offsetMs += spoken.soundMs;
      text = spoken.rest;
    }
  }

  /** The library wants to know that there is a voice. Speaking goes through `speakSentences`. */
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
    // The sentence after this one is being said too, and may have failed before it.
    if (this.#order[0] === failed) this.#order = [...this.#order.slice(1), failed];
  }
}

/** Nobody is left who could speak. The conversation goes on in text. */
export class VoiceAway extends Error {
  constructor(failures: unknown[]) {
    const why = failures.map((error) => (error instanceof Error ? error.message : "failed"));
    super(`nobody is left to speak: ${why.join("; ")}`, { cause: failures.at(-1) });
    this.name = "VoiceAway";
  }
}
