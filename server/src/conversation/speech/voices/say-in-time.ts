import type { Sound, VendorVoice } from "./vendor-voice.ts";
import { VendorAway } from "../vendor.ts";

export interface VoiceLimits {
  /** From the request to the first sound. */
  firstSoundMs: number;
  /** From one piece of sound to the next. */
  gapMs: number;
}

/** Says a sentence, and gives up on a voice that keeps the visitor waiting. */
export async function sayInTime(
  voice: VendorVoice,
  sentence: string,
  { limits, signal, onSound }: InTime,
): Promise<void> {
  const late = new AbortController();
  const giveUp = (what: string) => late.abort(new VendorAway(`${voice.provider} ${what}`));
  let timer = setTimeout(giveUp, limits.firstSoundMs, "stays silent");
  try {
    await voice.say(sentence, AbortSignal.any([signal, late.signal]), (sound) => {
      if (sound.pcm.length > 0) {
        clearTimeout(timer);
        timer = setTimeout(giveUp, limits.gapMs, "fell silent");
      }
      onSound(sound);
    });
  } finally {
    clearTimeout(timer);
  }
}

interface InTime {
  limits: VoiceLimits;
  signal: AbortSignal;
  onSound: (sound: Sound) => void;
}
