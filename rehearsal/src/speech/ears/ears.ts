import type { SpeechFaultKind } from "../fault.ts";

/** Turns sound into words. */
export interface Ears {
  /** An utterance begins. */
  attend(): Attention;
}

/** What is heard of one utterance. */
export interface Attention {
  /** Of all its sound so far: mono, 16 kHz. An interim transcript may wait until finals are made. */
  hear(pcm: Int16Array, kind: "interim" | "final"): Promise<Heard>;
  /** Nobody was told what it said. */
  abandon(): void;
}

export interface Heard {
  /** Empty for sounds that are no words. */
  text: string;
  /** From 0 to 1. */
  confidence: number;
}

export const EARS_SAMPLE_RATE = 16_000;

/** The fault `garbage` hears words that do not exist. */
export function garbled(text: string, fault: SpeechFaultKind | undefined): string {
  return fault === "garbage" && text !== "" ? "Brillig ploverine sant umbrelic vox." : text;
}
