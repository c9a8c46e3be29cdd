import { CircuitBreaker } from "#models";
import { newUuid, systemClock } from "#platform";
import { VendorAway } from "../vendor.ts";
import type { SharedVoice } from "./call-voice.ts";
import { VOICE_SAMPLE_RATE } from "./sound.ts";
import type { Sound } from "./sound.ts";
import type { VendorVoice } from "./vendor-voice.ts";

export const WORD_MS = 100;

/** How a sentence goes: all of it, none, so many of its words and then an end or nothing more. */
export type Manner = "whole" | "fails" | { breaksAfter: number } | { stallsAfter: number };

/** A voice that says each sentence in the manner that is next, `whole` beyond them. Each word takes a tenth of a second. */
export class VoiceUnderTest implements VendorVoice {
  readonly provider = "cartesia";
  readonly asked: string[] = [];
  /** Sentences that were being said when they were cut. */
  cut = 0;
  readonly #manners: Manner[];

  constructor(manners: Manner[] = []) {
    this.#manners = [...manners];
  }

  async say(sentence: string, signal: AbortSignal, onSound: (sound: Sound) => void): Promise<void> {
    this.asked.push(sentence);
    const manner = this.#manners.shift() ?? "whole";
    await Promise.resolve();
    if (manner === "fails") throw new VendorAway("fails");
    const words = sentence.split(" ");
    // As vendors do: the times of all words before the sound of the first.
    onSound({
      pcm: new Int16Array(),
      words: words.map((text, index) => ({
        text,
        startMs: index * WORD_MS,
        endMs: (index + 1) * WORD_MS,
      })),
    });
    const isBroken = typeof manner === "object" && "breaksAfter" in manner;
    const stops = manner === "whole" ? Infinity : Object.values(manner)[0]!;
    for (const _ of words.slice(0, stops)) {
      onSound({ pcm: new Int16Array((WORD_MS / 1_000) * VOICE_SAMPLE_RATE), words: [] });
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) this.cut += 1;
      signal.throwIfAborted();
    }
    if (isBroken) throw new VendorAway("breaks off");
    if (manner !== "whole") await untilAborted(signal);
  }

  probe(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {}
}

export function shared(voice: VendorVoice): SharedVoice {
  return { id: newUuid(), voice, breaker: new CircuitBreaker(systemClock) };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
