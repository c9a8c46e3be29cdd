import { AudioFrame } from "@livekit/rtc-node";

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

/**
 * Sound in pieces of any length, as frames of a tenth of a second: what recognisers are sent. Each
 * owns its buffer, because plugins send the buffer under a frame whole.
 */
export class SoundFrames {
  readonly #sampleRate: number;
  #samples: Int16Array<ArrayBuffer>;
  #count = 0;

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate;
    this.#samples = this.#empty();
  }

  /** The frames that are full now. */
  add(samples: Int16Array): AudioFrame[] {
    const full: AudioFrame[] = [];
    for (let at = 0; at < samples.length;) {
      const piece = samples.subarray(at, at + this.#samples.length - this.#count);
      this.#samples.set(piece, this.#count);
      this.#count += piece.length;
      at += piece.length;
      if (this.#count < this.#samples.length) break;
      full.push(new AudioFrame(this.#samples, this.#sampleRate, 1, this.#count));
      this.#samples = this.#empty();
      this.#count = 0;
    }
    return full;
  }

  #empty(): Int16Array<ArrayBuffer> {
    return new Int16Array(this.#sampleRate / 10);
  }
}
