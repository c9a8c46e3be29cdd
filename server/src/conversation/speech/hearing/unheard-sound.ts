import type { AudioFrame } from "@livekit/rtc-node";

/**
 * The sound that is not in words yet, to be sent again over another connection. Times are those of
 * the connection: they count from its first frame.
 */
export class UnheardSound {
  readonly #maxMs: number;
  #frames: AudioFrame[] = [];
  #startMs = 0;
  #endMs = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  get endMs(): number {
    return this.#endMs;
  }

  add(frame: AudioFrame): void {
    this.#frames.push(frame);
    this.#endMs += lengthMs(frame);
    this.#dropUntil(this.#endMs - this.#maxMs);
  }

  /** Everything up to there is in words. */
  heardUntil(ms: number): void {
    this.#dropUntil(ms);
  }

  /** All of it, for a new connection, whose times begin with it. */
  again(): readonly AudioFrame[] {
    this.#endMs -= this.#startMs;
    this.#startMs = 0;
    return this.#frames;
  }

  #dropUntil(ms: number): void {
    let dropped = 0;
    for (const frame of this.#frames) {
      if (this.#startMs + lengthMs(frame) > ms) break;
      this.#startMs += lengthMs(frame);
      dropped += 1;
    }
    this.#frames.splice(0, dropped);
  }
}

function lengthMs(frame: AudioFrame): number {
  return (frame.samplesPerChannel / frame.sampleRate) * 1_000;
}
