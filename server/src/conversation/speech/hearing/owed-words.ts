import type { AudioFrame } from "@livekit/rtc-node";
import type { Clock } from "#platform";
import { loudnessOf } from "./loudness.ts";

/** The quietest voice, as a share of the loudest possible sound. */
const MIN_LOUDNESS = 0.01;
/** A voice is this many times louder than the noise floor. A fan is loud too, but steady, so it becomes part of the floor. */
const ABOVE_NOISE_FLOOR = 3;
const MIN_NOISE_FLOOR = 0.002;
/** The rise of the noise floor per frame of a tenth of a second: a steady sound counts as background after two seconds. */
const NOISE_FLOOR_RISES = 1.1;
/** Shorter sounds, such as a slamming door, are not taken for a voice. */
const MIN_VOICE_FRAMES = 2;

/** Detects a recogniser that returns no words although somebody speaks. */
export class OwedWords {
  readonly #clock: Clock;
  readonly #patience: { voiceMs: number; waitMs: number };
  #noiseFloor = Infinity;
  #loudFrames = 0;
  #voiceMs = 0;
  #owedSince = 0;

  /** Words are overdue after `voiceMs` of voice without any, `waitMs` after the voice began. */
  constructor(clock: Clock, patience: { voiceMs: number; waitMs: number }) {
    this.#clock = clock;
    this.#patience = patience;
  }

  /** Whether a voice was heard since the last words. */
  get areOwed(): boolean {
    return this.#voiceMs > 0;
  }

  get areOverdue(): boolean {
    const { voiceMs, waitMs } = this.#patience;
    return this.#voiceMs >= voiceMs && this.#clock.monotonicMs() - this.#owedSince >= waitMs;
  }

  sound(frame: AudioFrame): void {
    const loudness = loudnessOf(frame.data);
    this.#noiseFloor = Math.min(
      loudness,
      Math.max(this.#noiseFloor * NOISE_FLOOR_RISES, MIN_NOISE_FLOOR),
    );
    const isLoud = loudness > Math.max(MIN_LOUDNESS, this.#noiseFloor * ABOVE_NOISE_FLOOR);
    this.#loudFrames = isLoud ? this.#loudFrames + 1 : 0;
    if (this.#loudFrames < MIN_VOICE_FRAMES) return;
    if (!this.areOwed) this.#owedSince = this.#clock.monotonicMs();
    this.#voiceMs += (frame.samplesPerChannel / frame.sampleRate) * 1_000;
  }

  answered(): void {
    this.#voiceMs = 0;
  }
}
