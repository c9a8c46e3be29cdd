import { ReadableStream } from "node:stream/web";
import type { ReadableStreamDefaultController } from "node:stream/web";
import { voice } from "@livekit/agents";
import { AudioFrame } from "@livekit/rtc-node";

const SAMPLE_RATE = 16_000;

/** The visitor's microphone, as the library reads it. */
export class Ear extends voice.AudioInput {
  #frames: ReadableStreamDefaultController<AudioFrame> | undefined;

  constructor() {
    super();
    this.multiStream.addInputStream(
      new ReadableStream<AudioFrame>({
        start: (frames) => void (this.#frames = frames),
        cancel: () => void (this.#frames = undefined),
      }),
    );
  }

  /** `pcm` must own its buffer: a recogniser's plugin sends all of it, however little the view shows. */
  hear(pcm: Int16Array): void {
    this.#frames?.enqueue(new AudioFrame(pcm, SAMPLE_RATE, 1, pcm.length));
  }

  override async close(): Promise<void> {
    this.#frames = undefined;
    await super.close();
  }
}
