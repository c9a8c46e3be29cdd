import { createResampler } from "./resampler.ts";

const SENT_RATE = 16_000;
/** 32 ms. */
const FRAME_SAMPLES = 512;

/** Converts the microphone's samples into the frames of the protocol: 16 kHz, 16 bit, 32 ms each. */
export function microphoneFrames(
  rate: number,
  onFrame: (bytes: ArrayBuffer) => void,
): (samples: Float32Array) => void {
  const resampler = createResampler(rate, SENT_RATE);
  let frame = new Int16Array(FRAME_SAMPLES);
  let count = 0;
  return (samples) => {
    for (const sample of samples) {
      resampler.feed(sample);
      while (!resampler.isHungry()) {
        frame[count++] = Math.max(-1, Math.min(1, resampler.make())) * 32_767;
        if (count < FRAME_SAMPLES) continue;
        onFrame(frame.buffer);
        frame = new Int16Array(FRAME_SAMPLES);
        count = 0;
      }
    }
  };
}
