import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { createLog, systemClock } from "#platform";
import { startSpeech } from "#testing";
import type { Media, MediaListener, Speech } from "../conversation.ts";
import { createSpeech } from "../speech/create-speech.ts";
import { conversationUnderTest, says } from "./conversation-under-test.ts";

/** Plain ones: what is spoken is what is written, so that words can be counted in both. */
const SENTENCES = [
  "Our assistant talks with your visitors and shows them what they want to see.",
  "Most teams begin with a single page and add the others when they like it.",
  "Every answer comes from the texts that you have given to the assistant.",
  "A visitor can cut in at any time and the assistant falls silent at once.",
  "If the microphone is blocked the same conversation goes on in writing.",
  "An address is taken only after the visitor has confirmed it on the screen.",
];
const INTERRUPTIONS = 12;
/** Of the stand-in's voice: a tone for each word, this long for each of its characters, and as much quiet after it. */
const CHARACTER_MS = 60;
const SAMPLES_A_MS = 24;

// V8
it.each([
  { voice: "with word times", provider: "cartesia", maxWordsOff: 1 },
  { voice: "without word times", provider: "openai", maxWordsOff: 2 },
] as const)(
  "stores what was played of an interrupted sentence: $voice, at most $maxWordsOff words off",
  async ({ provider, maxWordsOff }) => {
    const speech = await speechOf(provider);
    let plantedOff = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SENTENCES),
        fc.noBias(fc.nat(99)),
        async (sentence, percent) => {
          const { stored, played } = await interrupt(speech, sentence, percent);
          expect(wordsOff(sentence, stored, played)).toBeLessThanOrEqual(maxWordsOff);
          plantedOff = Math.max(plantedOff, wordsOff(sentence, sentence, played));
        },
      ),
      { numRuns: INTERRUPTIONS },
    );
    // The control: whole sentences in place of what was stored would be noticed.
    expect(plantedOff).toBeGreaterThan(maxWordsOff);
  },
);

interface Interrupted {
  stored: string;
  /** The sound that came out of the loudspeaker. */
  played: Int16Array;
}

/** Has a sentence spoken in a conversation of its own, and interrupts it by typing after a percentage of its sound. */
async function interrupt(speech: Speech, sentence: string, percent: number): Promise<Interrupted> {
  const loudspeaker = new Loudspeaker();
  const script = [says(sentence), says("Yes.")];
  const voice = { media: loudspeaker, speech };
  const { conversation, log } = await conversationUnderTest(script, { voice });
  const stopped = loudspeaker.stopAt(Math.floor((percent / 100) * sentence.length * CHARACTER_MS));
  const answered = conversation.hear("Tell me.");
  const played = await stopped;
  await Promise.all([conversation.hear("Stop."), answered]);
  const [asked, ...turns] = log.turns;
  expect([asked?.content, ...turns.slice(-2).map(({ content }) => content)]).toEqual([
    "Tell me.",
    "Stop.",
    "Yes.",
  ]);
  return {
    stored: turns
      .slice(0, -2)
      .map(({ content }) => content)
      .join(" "),
    played,
  };
}

async function speechOf(provider: "cartesia" | "openai"): Promise<Speech> {
  const standIn = await startSpeech({ voice: "tone", speed: 40 });
  onTestFinished(() => standIn.close());
  const place = { url: standIn.url, key: "key", model: undefined };
  return createSpeech({
    hearing: { first: { ...place, provider: "deepgram" }, fallback: undefined },
    voice: { first: { ...place, provider, voice: undefined }, fallback: undefined },
    prices: { minuteHeard: 0, thousandCharactersSpoken: 0 },
    clock: systemClock,
    log: createLog("silent"),
  });
}

/** How much faster sound comes than it is played. */
const TIMES_FASTER = 4;

/** Plays up to where it is told to stop, as soon as that much could have been played. It has no clock, so that a busy machine changes nothing. */
class Loudspeaker implements Media {
  #listener!: MediaListener;
  #samples: number[] = [];
  #stop: { ms: number; reached: (played: Int16Array) => void } | undefined;
  #stoppedMs: number | undefined;

  /** Stops the next segment there. Resolves with the sound that was played. */
  stopAt(ms: number): Promise<Int16Array> {
    return new Promise((reached) => (this.#stop = { ms, reached }));
  }

  open(listener: MediaListener): void {
    this.#listener = listener;
  }

  frame(pcm: Int16Array): void {
    if (this.#samples.length === 0) setImmediate(() => this.#listener.started());
    for (const sample of pcm) this.#samples.push(sample);
    if (this.#soundMs >= (this.#stop?.ms ?? Infinity) * TIMES_FASTER) this.#reach();
  }

  flush(): void {
    if (this.#stop !== undefined) return this.#reach();
    const soundMs = this.#soundMs;
    if (this.#stoppedMs !== undefined) return;
    this.#samples = [];
    setImmediate(() => this.#listener.finished(soundMs));
  }

  clear(): void {
    const playedMs = this.#stoppedMs ?? 0;
    this.#samples = [];
    this.#stoppedMs = undefined;
    setImmediate(() => this.#listener.cleared(playedMs));
  }

  pause(): void {}

  resume(): void {}

  get #soundMs(): number {
    return this.#samples.length / SAMPLES_A_MS;
  }

  #reach(): void {
    const { ms, reached } = this.#stop!;
    this.#stop = undefined;
    this.#stoppedMs = Math.min(ms, this.#soundMs);
    const played = Int16Array.from(this.#samples.slice(0, this.#stoppedMs * SAMPLES_A_MS));
    // Not before the listener knows that it has started.
    setImmediate(() => reached(played));
  }
}

/** How many words the stored text is off. A word counts as played from its middle on. */
function wordsOff(sentence: string, stored: string, played: Int16Array): number {
  if (!sentence.startsWith(stored)) return Infinity;
  const tones = toneLengths(played);
  const lastWord = sentence.split(" ")[tones.length - 1];
  const isLastPlayed = (tones.at(-1) ?? 0) >= ((lastWord?.length ?? 0) * CHARACTER_MS) / 2;
  const words = Math.max(0, isLastPlayed ? tones.length : tones.length - 1);
  return Math.abs(stored.split(" ").filter(Boolean).length - words);
}

/** A period of the lowest tone. */
const LOOK_MS = 5;
const LOUD = 1_000;

function toneLengths(pcm: Int16Array): number[] {
  const lengths: number[] = [];
  let isTone = false;
  const look = LOOK_MS * SAMPLES_A_MS;
  for (let at = 0; at + look <= pcm.length; at += look) {
    const isLoud = pcm.subarray(at, at + look).some((sample) => Math.abs(sample) > LOUD);
    if (isLoud && !isTone) lengths.push(0);
    if (isLoud) lengths[lengths.length - 1]! += LOOK_MS;
    isTone = isLoud;
  }
  return lengths;
}
