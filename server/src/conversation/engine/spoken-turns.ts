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
  /** What is understood so far of what is being said. */
  onPartial(turn: { id: string; text: string }): void;
  onSpeaks(speaking: boolean): void;
  /** What was understood of it was no turn. */
  onTakenBack(turnId: string): void;
}

/** Quiet for so long, and the voice detection says that the visitor has stopped. */
export const QUIET_MS = 200;

const WORDS_COME_WITHIN_MS = 3_000;

/** Follows what the library hears of the visitor until their turn is complete. */
export class SpokenTurns {
  readonly #options: SpokenTurnsOptions;
  #id = newUuid();
  #finals: string[] = [];
  #hasWords = false;
  #isSpeaking = false;
  /** Spoke since their last turn. */
  #hasSpoken = false;
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
      this.#stoppedAtMs = this.#isSpeaking ? undefined : clock.monotonicMs() - QUIET_MS;
      onSpeaks(this.#isSpeaking);
    });
  }

  /** The voice detection has heard the visitor since their last turn, or just before its end: words come late. */
  get hasVoice(): boolean {
    const stoppedAtMs = this.#stoppedAtMs ?? Number.NEGATIVE_INFINITY;
    const sinceMs = this.#options.clock.monotonicMs() - stoppedAtMs;
    return this.#hasSpoken || sinceMs < WORDS_COME_WITHIN_MS;
  }

  /** Something was understood of a turn that is not over. */
  get hasWords(): boolean {
    return this.#hasWords;
  }

  /** It ended as a filler: what seemed to be the beginning of something is nothing. */
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
