import { voice } from "@livekit/agents";
import { newUuid } from "#platform";
import type { Clock } from "#platform";

/** What the visitor said by voice, and when, by the monotonic clock. */
export interface SpokenTurn {
  id: string;
  text: string;
  stoppedAtMs: number | undefined;
  transcriptAtMs: number | undefined;
  endedAtMs: number;
}

export interface SpokenTurnsOptions {
  clock: Clock;
  /** The interim transcript of the current turn. */
  onPartial(turn: { id: string; text: string }): void;
  onSpeaks(speaking: boolean): void;
  /** Withdraws an interim transcript that did not become a turn. */
  onTakenBack(turnId: string): void;
}

/**
 * The silence after which the voice activity detection reports that the visitor has stopped, and their turn
 * ends: 300 ms, less the 80 ms by which it reports late, because it takes a fading word for speech. It counts
 * the sound that has arrived. A wait by the clock on top of it would end the turn of a visitor who talks on
 * while the network or the process stalls.
 */
export const QUIET_MS = 220;

const WORDS_COME_WITHIN_MS = 3_000;

/** Follows the library's events about the visitor until their turn is complete. */
export class SpokenTurns {
  readonly #options: SpokenTurnsOptions;
  #id = newUuid();
  #finals: string[] = [];
  #hasWords = false;
  #isSpeaking = false;
  /** True when the visitor has spoken since their last turn. */
  #hasSpoken = false;
  /** When the visitor's voice was noticed last. */
  #begunAtMs = 0;
  #stoppedAtMs: number | undefined;
  #transcriptAtMs: number | undefined;

  constructor(options: SpokenTurnsOptions) {
    this.#options = options;
  }

  follow(session: voice.AgentSession): void {
    const { clock, onSpeaks } = this.#options;
    session.on(voice.AgentSessionEventTypes.UserInputTranscribed, ({ transcript, isFinal }) =>
      this.#transcribed(transcript.trim(), isFinal),
    );
    session.on(voice.AgentSessionEventTypes.UserStateChanged, ({ newState }) => {
      this.#isSpeaking = newState === "speaking";
      this.#hasSpoken ||= this.#isSpeaking;
      if (this.#isSpeaking) this.#begunAtMs = clock.monotonicMs();
      this.#stoppedAtMs = this.#isSpeaking ? undefined : clock.monotonicMs() - QUIET_MS;
      onSpeaks(this.#isSpeaking);
    });
  }

  /** True when voice activity was detected since the last turn, or just before its end, because transcripts arrive late. */
  get hasVoice(): boolean {
    const stoppedAtMs = this.#stoppedAtMs ?? Number.NEGATIVE_INFINITY;
    const sinceMs = this.#options.clock.monotonicMs() - stoppedAtMs;
    return this.#hasSpoken || sinceMs < WORDS_COME_WITHIN_MS;
  }

  /** How long ago the visitor began to speak; undefined when they are silent. */
  get speaksForMs(): number | undefined {
    return this.#isSpeaking ? this.#options.clock.monotonicMs() - this.#begunAtMs : undefined;
  }

  /** True while an unfinished turn has an interim transcript. */
  get hasWords(): boolean {
    return this.#hasWords;
  }

  /** The turn was only a filler: its interim transcript is withdrawn. */
  passOver(): void {
    if (!this.#hasWords || this.#finals.length > 0) return;
    this.#options.onTakenBack(this.#id);
    this.#begin();
  }

  /** The visitor's turn is over. */
  complete(text: string): SpokenTurn {
    const turn = {
      id: this.#id,
      text,
      stoppedAtMs: this.#stoppedAtMs,
      transcriptAtMs: this.#transcriptAtMs,
      endedAtMs: this.#options.clock.monotonicMs(),
    };
    this.#finals = [];
    this.#transcriptAtMs = undefined;
    this.#begin();
    return turn;
  }

  #begin(): void {
    this.#id = newUuid();
    this.#hasWords = false;
    this.#hasSpoken = this.#isSpeaking;
  }

  #transcribed(text: string, isFinal: boolean): void {
    if (text === "") return;
    this.#hasWords = true;
    const all = [...this.#finals, text].join(" ");
    if (isFinal) {
      this.#finals.push(text);
      this.#transcriptAtMs = this.#options.clock.monotonicMs();
    }
    this.#options.onPartial({ id: this.#id, text: all });
  }
}
