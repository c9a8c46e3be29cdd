import { transcribe } from "../models/transcribe.ts";
import { EARS_SAMPLE_RATE } from "./ears.ts";
import type { Attention, Ears } from "./ears.ts";

/** A hum is short, and the model puts unlikely words into it. */
const SHORT_SECS = 1.2;
const SURE = 0.65;

/** Ears that understand what is said to them, in English. */
export class ModelEars implements Ears {
  attend(): Attention {
    return {
      async hear(pcm, kind) {
        const { text, confidence } = await transcribe(pcm, { isUrgent: kind === "final" });
        const isHum = pcm.length < SHORT_SECS * EARS_SAMPLE_RATE && confidence < SURE;
        return { text: isHum ? "" : text, confidence };
      },
      abandon() {},
    };
  }
}
