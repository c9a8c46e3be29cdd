import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { createLog, systemClock } from "#platform";
import { startSpeech } from "#testing";
import type { Media, MediaListener, Speech } from "../conversation.ts";
import { createSpeech } from "../speech/create-speech.ts";
import { conversationUnderTest, says } from "./conversation-under-test.ts";
import type { ScriptedReply } from "./conversation-under-test.ts";

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

it("names no source for a sentence that was not heard to its end", async () => {
  const speech = await speechOf("cartesia");
  const sentence = "The small plan costs 49 euros, and it can be cancelled at any time.";
  const cut = await interrupt(speech, sentence, 80);
  expect(cut.stored).toContain("49 euros");
  expect(cut.sources).toEqual([]);
  const whole = await conversationUnderTest([says(sentence)], {
    voice: { media: new Loudspeaker(), speech },
  });
  await whole.conversation.hear("Tell me.");
  expect(whole.log.of("sources")).toMatchObject([{ sections: ["prices.md#Prices"] }]);
});

interface Interrupted {
  stored: string;
  sources: unknown[];
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
    sources: log.of("sources"),
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

const SHORT = ["It is fine.", "It runs well.", "People like it.", "That is all."];

/** Says its sentences with pauses between them, as far as it gets. */
const talks =
  (pausesMs: number[]): ScriptedReply =>
  async ({ onSentence, signal }) => {
    for (const [index, pauseMs] of pausesMs.entries()) {
      if (pauseMs > 0) await delay(pauseMs);
      if (signal.aborted) return;
      onSentence({ text: SHORT[index % SHORT.length]!, directions: [] });
    }
  };

// V8 K2
it("holds what was heard and nothing else, wherever a visitor cuts in", async () => {
  const pause = fc.integer({ min: 0, max: 4 });
  const reply = fc.array(pause, { minLength: 1, maxLength: SHORT.length });
  const turn = fc.record({ reply, waitMs: fc.integer({ min: 0, max: 12 }), cuts: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), async (turns) => {
      const asked: string[] = [];
      const { conversation, log } = await conversationUnderTest([], {
        models: {
          answers: true,
          async reply(request) {
            const said = request.messages.findLast(({ role }) => role === "user")?.content ?? "";
            asked.push(said);
            const [, index] = /.*I am at (\d+)\./s.exec(said) ?? [];
            await talks(turns[Number(index)]!.reply)(request);
          },
        },
      });
      const replies: Promise<void>[] = [];
      for (const [index, { waitMs, cuts }] of turns.entries()) {
        const heard = conversation.hear(`I am at ${index}.`);
        replies.push(heard);
        await (cuts ? delay(waitMs) : heard);
      }
      await Promise.all(replies);

      const said = log.turns.filter(({ role }) => role === "user").map(({ content }) => content);
      expect(said).toEqual(turns.map((_, index) => `I am at ${index}.`));
      for (const [index, { role, content, interrupted }] of log.turns.entries()) {
        if (role === "user") continue;
        const before = log.turns[index - 1]!;
        expect(before.role).toBe("user");
        const { reply: pauses } = turns[said.indexOf(before.content)]!;
        const whole = SHORT.slice(0, pauses.length).join(" ");
        expect(interrupted ? whole.slice(0, content.length) : whole).toBe(content);
        expect(log.of("partial")).toContain(content);
      }
      const seen = log.of("partial").map(String);
      const kept = log.turns.map(({ content }) => content);
      expect(seen.filter((text) => !kept.some((content) => content.startsWith(text)))).toEqual([]);
      expect(log.turns.at(-1)?.role).toBe("assistant");
      expect(new Set(asked).size).toBe(asked.length);
      expect(new Set(log.turns.map(({ id }) => id)).size).toBe(log.turns.length);
    }),
    { numRuns: 40 },
  );
});
