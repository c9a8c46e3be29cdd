import { createGate } from "./gate.ts";
import type { GateOrder } from "./gate.ts";

/** Globals of the scope that worklets run in. */
declare const sampleRate: number;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

registerProcessor(
  "svc-gate",
  class extends AudioWorkletProcessor {
    #gate = createGate(sampleRate, (report) => this.port.postMessage(report, []));

    constructor() {
      super();
      this.port.start();
      this.port.addEventListener("message", ({ data }: MessageEvent<GateOrder>) =>
        this.#gate.take(data),
      );
    }

    process([input]: Float32Array[][], [output]: Float32Array[][]): boolean {
      this.#gate.render(input?.[0], output![0]!);
      return true;
    }
  },
);
