import type { stt } from "@livekit/agents";
import type { Account } from "#models";
import type { SpeechPrices } from "#platform";
import type { CallVoice } from "./voices/call-voice.ts";

/** Speech-to-text and text-to-speech of a process, shared by its conversations. */
export interface Speech {
  /** False while speech-to-text or text-to-speech is away. Visitors are offered text then. */
  readonly answers: boolean;
  /** The prices, if they are known. */
  readonly prices: SpeechPrices | undefined;
  /** A recogniser for one session, which must close it. It survives lost connections. */
  hearing(language: string, account: Account): stt.STT;
  /** A voice for one session. Its connections are shared. `name` is the agent's own choice. */
  voice(language: string, name: string | undefined, account: Account): CallVoice;
}

/** `Speech` that probes its vendors. */
export interface WatchedSpeech extends Speech {
  /** Probes the vendors now and every half minute: otherwise `answers` would guess about vendors that no session has used yet. */
  watch(): Promise<void>;
  /** Also closes idle connections. */
  stopWatching(): void;
  /** Says a sentence and recognises it, with every configured vendor. */
  check(): Promise<SpeechCheck[]>;
}

/** The result for one vendor. */
export interface SpeechCheck {
  part: "voice" | "hearing" | "round_trip";
  provider: string;
  ok: boolean;
  /** The time to the first sound (text-to-speech), or from the last sound to the last word (speech-to-text). */
  ms: number;
  /** For people. */
  detail: string;
  /** True when this was tested with the vendor itself, not only with a stand-in. */
  verified: boolean;
}
