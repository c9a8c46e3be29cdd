import { AudioFrame } from "@livekit/rtc-node";

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
