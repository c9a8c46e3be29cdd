import type { stt } from "@livekit/agents";
import type { SpeechPrices } from "#platform";
import type { CallVoice } from "./voices/call-voice.ts";

/** Speech-to-text and text-to-speech of a process, shared by its conversations. */
export interface Speech {
  /** False while visitors cannot be heard, or nothing can be said to them: they are offered text. */
  readonly answers: boolean;
  /** What it costs, where that is known. */
  readonly prices: SpeechPrices | undefined;
  /** A recogniser for one session, which closes it. It goes on over lost connections. */
  hearing(language: string): stt.STT;
  /** A voice for one session; what it speaks through is shared. `name` is the agent's own choice. */
  voice(language: string, name?: string): CallVoice;
}

/** `Speech` that looks after its vendors. */
export interface WatchedSpeech extends Speech {
  /** Looks whether the vendors are there, now and every half minute, so that `answers` is true of those whom nobody has needed yet. */
  watch(): Promise<void>;
  /** Lets go of connections that nobody uses, too. */
  stopWatching(): void;
  /** Says a sentence and listens to it, with everyone who is set up. */
  check(): Promise<SpeechCheck[]>;
}

/** What came of trying one of them. */
export interface SpeechCheck {
  part: "voice" | "hearing" | "round_trip";
  provider: string;
  ok: boolean;
  /** To the first sound, or from the last sound to the last word. */
  ms: number;
  /** For people. */
  detail: string;
  /** Whether we have ever met the vendor itself, and not only a stand-in that follows its documents. */
  verified: boolean;
}
