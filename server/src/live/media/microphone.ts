import { SampleQueue } from "./sample-queue.ts";

/** 32 ms of 16 kHz: what voice detection looks at. */
const FRAME_SAMPLES = 512;
/** A second: longer than any voice detection waits for the end of a word. */
const TAIL_FRAMES = 31;

/** Makes frames of one size from the sound of a visitor's microphone, whatever sizes it comes in. */
export class Microphone {
  readonly #onFrame: (pcm: Int16Array) => void;
  readonly #waiting = new SampleQueue();
  #isMuted = false;

  constructor(onFrame: (pcm: Int16Array) => void) {
    this.#onFrame = onFrame;
  }

  /**
   * False when it is no sound: half a sample.
   * @param isInRoom where it is silent while muted, and the message that it is not any more may come seconds after the sound
   */
  hear(bytes: Buffer, isInRoom = false): boolean {
    if (bytes.byteLength % 2 !== 0) return false;
    if (this.#isMuted && !isInRoom) return true;
    this.#waiting.push(aligned(bytes));
    while (this.#waiting.length >= FRAME_SAMPLES) this.#onFrame(this.#waiting.take(FRAME_SAMPLES));
    return true;
  }

  /** Mutes the microphone. Sound that still arrives from a muted microphone is dropped. */
  mute(muted: boolean): void {
    if (muted === this.#isMuted) return;
    this.#isMuted = muted;
    if (!muted) return;
    this.forget();
    // Without this the end of turn would wait for a visitor who switched it off in the middle of a word.
    for (let count = 0; count < TAIL_FRAMES; count++) this.#onFrame(new Int16Array(FRAME_SAMPLES));
  }

  /** Forgets the sound so far, because the next sound does not continue it. */
  forget(): void {
    this.#waiting.clear();
  }
}

/** A frame from the network may begin at an odd address, where no sample may. */
function aligned(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.byteLength / 2);
  bytes.copy(new Uint8Array(samples.buffer));
  return samples;
}
