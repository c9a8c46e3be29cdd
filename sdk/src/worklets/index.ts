import { microphoneFrames } from "./microphone-frames.ts";
import { createPlayer } from "./player.ts";
import type { PlayerOrder } from "./player.ts";

/** Globals of the scope that worklets run in. */
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => Processor): void;
interface Processor extends AudioWorkletProcessor {
  /** Gets the channels of each input and output. Returning true keeps the processor alive. */
  process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean;
}

registerProcessor(
  "svc-microphone",
  class extends AudioWorkletProcessor implements Processor {
    #take = microphoneFrames(sampleRate, (bytes) => this.port.postMessage(bytes, [bytes]));

    process([input]: Float32Array[][]): boolean {
      // There is no channel while the visitor changes the microphone.
      if (input?.[0] !== undefined) this.#take(input[0]);
      return true;
    }
  },
);

registerProcessor(
  "svc-loudspeaker",
  class extends AudioWorkletProcessor implements Processor {
    #player = createPlayer(sampleRate, (report) => this.port.postMessage(report, []));

    constructor() {
      super();
      this.port.start();
      this.port.addEventListener("message", ({ data }: MessageEvent<PlayerOrder>) =>
        this.#player.take(data),
      );
    }

    process(_: Float32Array[][], [output]: Float32Array[][]): boolean {
      this.#player.render(output![0]!);
      return true;
    }
  },
);
