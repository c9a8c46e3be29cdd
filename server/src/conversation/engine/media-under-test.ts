import { systemClock } from "#platform";
import type { Media, MediaListener } from "../conversation.ts";

const SAMPLES_A_MS = 24;
const FRAME_SAMPLES = 512;
const FRAME_MS = 32;
const REPORT_MS = 50;

/** For tests: a visitor with a loudspeaker that plays in real time, or faster, and a microphone. */
export class MediaUnderTest implements Media {
  /** What was asked of it, in order. */
  readonly asked: string[] = [];
  readonly #speed: number;
  readonly #reporting: NodeJS.Timeout;
  #listener!: MediaListener;
  #sentMs = 0;
  #playedMs = 0;
  #sinceMs: number | undefined;
  #isFlushed = false;
  #isPaused = false;
  #sound: Int16Array = new Int16Array(0);

  constructor(speed = 1) {
    this.#speed = speed;
    this.#reporting = setInterval(() => this.#report(), REPORT_MS / speed);
  }

  open(listener: MediaListener): void {
    this.#listener = listener;
  }

  /**
   * Speaks into the microphone, with a second of quiet behind it.
   *
   * @param stall nothing arrives for so long at this place of the sound; then all that was held up comes at once.
   */
  async say(
    pcm: Int16Array,
    stall?: { atMs: number; forMs: number; isOfProcess: boolean },
  ): Promise<void> {
    this.#sound = Int16Array.from([...pcm, ...new Int16Array(16_000)]);
    const startedMs = systemClock.monotonicMs();
    for (let frame = 0; frame * FRAME_SAMPLES < this.#sound.length; frame++) {
      const waitMs = startedMs + frame * FRAME_MS - systemClock.monotonicMs();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (stall !== undefined && frame === Math.floor(stall.atMs / FRAME_MS)) {
        const endMs = systemClock.monotonicMs() + stall.forMs;
        while (stall.isOfProcess && systemClock.monotonicMs() < endMs);
        await new Promise((resolve) => setTimeout(resolve, endMs - systemClock.monotonicMs()));
      }
      const samples = new Int16Array(FRAME_SAMPLES);
      samples.set(this.#sound.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES));
      this.#listener.microphone(samples);
    }
  }

  /** So many seconds from the microphone at once, all of them quiet. */
  hear(secs: number): void {
    for (let sec = 0; sec < secs; sec++) this.#listener.microphone(new Int16Array(16_000));
  }

  frame(pcm: Int16Array): void {
    if (this.#sentMs === 0) this.#begin();
    this.#sentMs += pcm.length / SAMPLES_A_MS;
  }

  flush(): void {
    this.asked.push("flush");
    this.#isFlushed = true;
  }

  clear(): void {
    const playedMs = this.#position();
    this.asked.push("clear");
    this.#reset();
    this.#isPaused = false;
    setImmediate(() => this.#listener.cleared(playedMs));
  }

  pause(): void {
    const playedMs = this.#position();
    this.asked.push("pause");
    this.#isPaused = true;
    this.#playedMs = playedMs;
    this.#sinceMs = undefined;
    if (this.#sentMs > 0) setImmediate(() => this.#listener.paused(playedMs));
  }

  resume(): void {
    this.asked.push("resume");
    this.#isPaused = false;
    if (this.#sentMs > 0) this.#sinceMs = systemClock.monotonicMs();
  }

  close(): void {
    clearInterval(this.#reporting);
  }

  #begin(): void {
    this.asked.push("start");
    this.#isFlushed = false;
    if (this.#isPaused) return;
    this.#sinceMs = systemClock.monotonicMs();
    setImmediate(() => this.#listener.started());
  }

  #position(): number {
    const sinceMs = this.#sinceMs ?? systemClock.monotonicMs();
    return Math.min(
      this.#sentMs,
      this.#playedMs + (systemClock.monotonicMs() - sinceMs) * this.#speed,
    );
  }

  #report(): void {
    if (this.#sentMs === 0 || this.#sinceMs === undefined) return;
    const playedMs = this.#position();
    if (this.#isFlushed && playedMs >= this.#sentMs) {
      this.#reset();
      return this.#listener.finished(playedMs);
    }
    this.#listener.position(playedMs);
  }

  #reset(): void {
    this.#sentMs = this.#playedMs = 0;
    this.#sinceMs = undefined;
  }
}
