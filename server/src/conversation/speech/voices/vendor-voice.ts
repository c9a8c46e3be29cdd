import type { TimedWord } from "../../heard/word-times.ts";
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
  /** Lets go of connections that nobody speaks over. */
  close(): void;
}

/** Which voice, of whom, in which language. */
export interface VoicePlace {
  config: VoiceConfig;
  language: string;
  /** The agent's own choice. */
  name: string | undefined;
}

/** A piece of what is said. */
export interface Sound {
  /** 24 kHz, mono, in a buffer of its own. */
  pcm: Int16Array<ArrayBuffer>;
  /** Words whose times have become known. Counted from the first sound of what is said. */
  words: TimedWord[];
}

export const VOICE_SAMPLE_RATE = 24_000;

/** The same sound, behind so much other. */
export function later({ pcm, words }: Sound, offsetMs: number): Sound {
  return {
    pcm,
    words: words.map(({ text, startMs, endMs }) => ({
      text,
      startMs: startMs + offsetMs,
      ...(endMs !== undefined && { endMs: endMs + offsetMs }),
    })),
  };
}
