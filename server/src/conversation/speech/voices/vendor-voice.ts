import { whenOverdue } from "#platform";
import type { Sound } from "./sound.ts";
import { VendorAway } from "../vendor.ts";
import type { VoiceConfig } from "../vendor.ts";

/** One vendor's voice in one language. It says a sentence at a time. */
export interface VendorVoice {
  readonly provider: VoiceConfig["provider"];
  /**
   * Hands the sound over as it comes and resolves when all of it has come. Throws `VendorAway` when
   * it does not come. Once the signal is aborted the vendor is told to stop.
   */
  say(sentence: string, signal: AbortSignal, onSound: (sound: Sound) => void): Promise<void>;
  /** Connects and shows the key, without saying anything. Throws `VendorAway` where that fails. */
  probe(): Promise<void>;
  /** Closes idle connections. */
  close(): void;
}

/** A vendor, a voice and a language. */
export interface VoicePlace {
  config: VoiceConfig;
  language: string;
  /** The agent's own choice. */
  name: string | undefined;
}

export interface VoiceLimits {
  /** From the request to the first sound. */
  firstSoundMs: number;
  /** From one piece of sound to the next. */
  gapMs: number;
}

/** Says a sentence, and gives up on a voice that keeps the visitor waiting. */
export async function sayInTime(
  voice: VendorVoice,
  sentence: string,
  { limits, signal, onSound }: InTime,
): Promise<void> {
  const late = new AbortController();
  const waitFor = (ms: number, otherwise: string): (() => void) =>
    whenOverdue(ms, () => late.abort(new VendorAway(`${voice.provider} ${otherwise}`)));
  let stopWaiting = waitFor(limits.firstSoundMs, "stays silent");
  try {
    await voice.say(sentence, AbortSignal.any([signal, late.signal]), (sound) => {
      if (sound.pcm.length > 0) {
        stopWaiting();
        stopWaiting = waitFor(limits.gapMs, "fell silent");
      }
      onSound(sound);
    });
  } finally {
    stopWaiting();
  }
}

interface InTime {
  limits: VoiceLimits;
  signal: AbortSignal;
  onSound: (sound: Sound) => void;
}
