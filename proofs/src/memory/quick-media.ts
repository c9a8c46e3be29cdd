import type { Media, MediaListener } from "@svc/server/testing";

const SAMPLES_PER_MS = 24;
const REPORT_EVERY_MS = 250;

/** A visitor's loudspeaker that plays everything so many times faster than it was spoken. */
export class QuickMedia implements Media {
  readonly #speed: number;
  #listener: MediaListener | undefined;
  #lengthMs = 0;
  #playedMs = 0;
  #isComplete = false;
  #playing: NodeJS.Timeout | undefined;

  constructor(speed: number) {
    this.#speed = speed;
  }

  open(listener: MediaListener): void {
    this.#listener = listener;
  }

  microphone(pcm: Int16Array): void {
    this.#listener?.microphone(pcm);
  }

  frame(pcm: Int16Array): void {
    if (this.#lengthMs === 0) this.#listener?.started();
    this.#lengthMs += pcm.length / SAMPLES_PER_MS;
    this.resume();
  }

  flush(): void {
    this.#isComplete = true;
  }

  clear(): void {
    const playedMs = this.#end();
    setImmediate(() => this.#listener?.cleared(playedMs));
  }

  pause(): void {
    if (this.#playing === undefined) return;
    this.#stop();
    setImmediate(() => this.#listener?.paused(this.#playedMs));
  }

  resume(): void {
    if (this.#lengthMs === 0) return;
    this.#playing ??= setInterval(() => this.#play(), REPORT_EVERY_MS / this.#speed);
  }

  #play(): void {
    this.#playedMs = Math.min(this.#lengthMs, this.#playedMs + REPORT_EVERY_MS);
    if (this.#isComplete && this.#playedMs === this.#lengthMs)
      this.#listener?.finished(this.#end());
    else this.#listener?.position(this.#playedMs);
  }

  #end(): number {
    const playedMs = this.#playedMs;
    this.#stop();
    this.#lengthMs = this.#playedMs = 0;
    this.#isComplete = false;
    return playedMs;
  }

  #stop(): void {
    clearInterval(this.#playing);
    this.#playing = undefined;
  }
}
