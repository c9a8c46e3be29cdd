/** 32 ms of 16 kHz. */
const FRAME_SAMPLES = 512;
const SAMPLES_PER_MS = 16;
/** Louder than a quiet room. */
const VOICED = 300;
const LOOK_MS = 8;

/** When somebody spoke, by `performance.now`: the first and the last sample that is more than silence. */
export interface Spoken {
  startedAt: number;
  endedAt: number;
}

/** A microphone that never stops: a frame every 32 ms, what is said or the hiss of a quiet room. */
export class PacedMicrophone {
  readonly #onFrame: (pcm: Int16Array) => void;
  readonly #openedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #frames = 0;
  #saying: { pcm: Int16Array; at: number; done: () => void }[] = [];

  constructor(onFrame: (pcm: Int16Array) => void) {
    this.#onFrame = onFrame;
    this.#timer = setInterval(() => this.#catchUp(), LOOK_MS);
  }

  /** Resolves when the last of it was sent. */
  async say(pcm: Int16Array): Promise<Spoken> {
    const done = Promise.withResolvers<void>();
    const saying = { pcm, at: 0, done: done.resolve };
    const before = this.#saying.reduce((sum, one) => sum + one.pcm.length - one.at, 0);
    const startSample = this.#frames * FRAME_SAMPLES + before;
    this.#saying.push(saying);
    await done.promise;
    const isVoiced = (sample: number): boolean => Math.abs(sample) > VOICED;
    const atSample = (index: number): number =>
      this.#openedAt + (startSample + Math.max(0, index)) / SAMPLES_PER_MS;
    return {
      startedAt: atSample(pcm.findIndex(isVoiced)),
      endedAt: atSample(pcm.findLastIndex(isVoiced)),
    };
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { done } of this.#saying) done();
    this.#saying = [];
  }

  /** Frames are due by the clock, however late the timer is. */
  #catchUp(): void {
    const openMs = performance.now() - this.#openedAt;
    while ((this.#frames + 1) * FRAME_SAMPLES <= openMs * SAMPLES_PER_MS) {
      this.#frames += 1;
      this.#onFrame(this.#record());
    }
  }

  #record(): Int16Array {
    const frame = Int16Array.from({ length: FRAME_SAMPLES }, () =>
      Math.round(Math.random() * 6 - 3),
    );
    for (let filled = 0; filled < FRAME_SAMPLES;) {
      const [saying] = this.#saying;
      if (saying === undefined) break;
      const part = saying.pcm.subarray(saying.at, saying.at + FRAME_SAMPLES - filled);
      frame.set(part, filled);
      filled += part.length;
      saying.at += part.length;
      if (saying.at < saying.pcm.length) continue;
      this.#saying.shift();
      saying.done();
    }
    return frame;
  }
}
