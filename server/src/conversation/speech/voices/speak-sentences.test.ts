import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TimedWord } from "../../heard/word-times.ts";
import { CallVoice, VoiceAway } from "./call-voice.ts";
import type { SharedVoice } from "./call-voice.ts";
import { KeptSentences, VOICE_SAMPLE_RATE } from "./sound.ts";
import { speakSentences } from "./speak-sentences.ts";
import { VoiceUnderTest, WORD_MS, shared } from "./voice-under-test.ts";
import type { Manner } from "./voice-under-test.ts";

const SENTENCES = [
  "Our product costs twenty nine dollars.",
  "For teams there is a discount.",
  "Yes.",
];
const LIMITS = { firstSoundMs: 100, gapMs: 60 };

function callVoice(...voices: VoiceUnderTest[]): CallVoice & { troubles: string[] } {
  return callOver(voices.map(shared));
}

function callOver(
  voices: SharedVoice[],
  kept = new KeptSentences(),
): CallVoice & { troubles: string[] } {
  const troubles: string[] = [];
  const onTrouble = (_: string, error: unknown): void => void troubles.push(String(error));
  const voice = new CallVoice({ voices, kept, onTrouble, limits: LIMITS });
  return Object.assign(voice, { troubles });
}

async function* oneByOne(sentences: readonly string[]): AsyncGenerator<string> {
  for (const sentence of sentences) {
    await Promise.resolve();
    yield sentence;
  }
}

interface Spoken {
  words: TimedWord[];
  text: string;
  ms: number;
  error: unknown;
}

async function speak(
  voice: CallVoice,
  sentences: readonly string[] = SENTENCES,
  { signal } = new AbortController(),
): Promise<Spoken> {
  const spoken: Spoken = { words: [], text: "", ms: 0, error: undefined };
  try {
    for await (const { frame, words } of speakSentences(voice, oneByOne(sentences), signal)) {
      spoken.words.push(...words);
      spoken.ms += (frame.samplesPerChannel / VOICE_SAMPLE_RATE) * 1_000;
    }
  } catch (error) {
    spoken.error = error;
  }
  spoken.text = spoken.words.map(({ text }) => text).join(" ");
  return spoken;
}

describe("sentences that are spoken", () => {
  it("come in their order, with times that count from the first of them", async () => {
    const { words, text, ms } = await speak(callVoice(new VoiceUnderTest()));
    expect(text).toBe(SENTENCES.join(" "));
    expect(ms).toBe(SENTENCES.join(" ").split(" ").length * WORD_MS);
    expect(words.map(({ startMs }) => startMs)).toEqual(words.map((_, index) => index * WORD_MS));
  });

  it("are asked for while the one before them still sounds", async () => {
    const voice = new VoiceUnderTest();
    for await (const _ of speakSentences(
      callVoice(voice),
      oneByOne(SENTENCES),
      new AbortController().signal,
    )) {
      await new Promise((resolve) => setImmediate(resolve));
      break;
    }
    expect(voice.asked).toEqual(SENTENCES.slice(0, 2));
  });

  it("are passed over where there is nothing to say", async () => {
    const voice = new VoiceUnderTest();
    const { text, error } = await speak(callVoice(voice), ["…", "Yes.", " – "]);
    expect(error).toBeUndefined();
    expect(text).toBe("Yes.");
    expect(voice.asked).toEqual(["Yes."]);
  });

  it("stop when nobody listens any more, and the vendor with them", async () => {
    const voice = new VoiceUnderTest();
    const stop = new AbortController();
    const spoken = speakSentences(callVoice(voice), oneByOne(SENTENCES), stop.signal);
    await spoken.next();
    stop.abort();
    expect((await spoken.next()).done).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(voice.cut).toBe(voice.asked.length);

    const given = new VoiceUnderTest();
    for await (const _ of speakSentences(
      callVoice(given),
      oneByOne(SENTENCES),
      new AbortController().signal,
    ))
      break;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(given.cut).toBe(given.asked.length);
  });
});

describe("when a voice fails", () => {
  // L11
  it("before a sentence sounds, another says it and all that follow, in later turns too", async () => {
    const [first, second] = [new VoiceUnderTest(["whole", "fails"]), new VoiceUnderTest()];
    const voice = callVoice(first, second);
    expect(await speak(voice)).toMatchObject({ text: SENTENCES.join(" "), error: undefined });
    expect(second.asked).toEqual(SENTENCES.slice(1));
    await speak(voice, ["Another turn."]);
    expect(second.asked.at(-1)).toBe("Another turn.");
    expect(voice.troubles).toEqual(["VendorAway: fails"]);
  });

  // L11
  it("in the middle of a sentence, another goes on with the next word", async () => {
    const [first, second] = [new VoiceUnderTest([{ breaksAfter: 3 }]), new VoiceUnderTest()];
    const { text, words, ms } = await speak(callVoice(first, second));
    expect(text).toBe(SENTENCES.join(" "));
    expect(second.asked[0]).toBe("twenty nine dollars.");
    expect(words[3]).toEqual({ text: "twenty", startMs: 300, endMs: 400 });
    expect(ms).toBe(SENTENCES.join(" ").split(" ").length * WORD_MS);
  });

  // L3
  it("by falling silent, another goes on", async () => {
    const [first, second] = [new VoiceUnderTest([{ stallsAfter: 2 }]), new VoiceUnderTest()];
    const { text } = await speak(callVoice(first, second));
    expect(text).toBe(SENTENCES.join(" "));
    expect(second.asked[0]).toBe("costs twenty nine dollars.");
  });

  it("and there is no other, the same is asked for the rest", async () => {
    const voice = new VoiceUnderTest([{ breaksAfter: 3 }]);
    expect((await speak(callVoice(voice))).text).toBe(SENTENCES.join(" "));
  });

  // L12
  it("and nobody is left, what sounded until then counts", async () => {
    const [first, second] = [new VoiceUnderTest(["whole", "fails"]), new VoiceUnderTest(["fails"])];
    const { text, error } = await speak(callVoice(first, second));
    expect(text).toBe(SENTENCES[0]);
    expect(error).toBeInstanceOf(VoiceAway);
    expect(String(error)).toContain("nobody is left to speak: fails; fails");
  });

  // L2
  it("three times in a row, nobody asks it for a while", async () => {
    const first = shared(new VoiceUnderTest(["fails", "fails", "fails"]));
    const second = shared(new VoiceUnderTest());
    for (const _ of [1, 2, 3, 4]) {
      expect((await speak(callOver([first, second]), ["Yes."])).text).toBe("Yes.");
    }
    expect((first.voice as VoiceUnderTest).asked).toHaveLength(3);
  });

  // L11
  it("however it does, words are told once, in order, and only when they have sounded", async () => {
    const words = fc.integer({ min: 0, max: 4 });
    const manner: fc.Arbitrary<Manner> = fc.oneof(
      { weight: 3, arbitrary: fc.constant("whole" as const) },
      fc.constant("fails" as const),
      words.map((breaksAfter) => ({ breaksAfter })),
    );
    const manners = fc.array(manner, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(manners, manners, async (firsts, seconds) => {
        const voice = callVoice(new VoiceUnderTest(firsts), new VoiceUnderTest(seconds));
        const spoken = await speak(voice);
        const all = SENTENCES.join(" ");
        const { error, text } = spoken;
        expect(text).toBe(error === undefined ? all : all.slice(0, text.length));
        let lastMs = 0;
        for (const { startMs, endMs } of spoken.words) {
          expect(startMs).toBeGreaterThanOrEqual(lastMs);
          lastMs = endMs!;
        }
        expect(lastMs).toBeLessThanOrEqual(spoken.ms);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a sentence that every call begins with", () => {
  const say = async (voice: CallVoice, { signal } = new AbortController()): Promise<string> => {
    const spoken = speakSentences(voice, oneByOne(["Hello there."]), signal, { isFixed: true });
    let text = "";
    for await (const { words } of spoken) text += words.map((word) => `${word.text} `).join("");
    return text.trim();
  };

  it("is asked for once, and sounds the same from then on", async () => {
    const voice = new VoiceUnderTest();
    const [voices, kept] = [[shared(voice)], new KeptSentences()];
    for (const _ of [1, 2, 3]) expect(await say(callOver(voices, kept))).toBe("Hello there.");
    expect(voice.asked).toEqual(["Hello there."]);
  });

  it("is not kept when it failed, or another voice went on with it", async () => {
    const [first, second] = [new VoiceUnderTest([{ breaksAfter: 1 }]), new VoiceUnderTest()];
    const [voices, kept] = [[shared(first), shared(second)], new KeptSentences()];
    for (const _ of [1, 2]) expect(await say(callOver(voices, kept))).toBe("Hello there.");
    expect(first.asked).toEqual(["Hello there.", "Hello there."]);
  });

  it("is not kept when it was cut", async () => {
    const [voices, kept] = [[shared(new VoiceUnderTest())], new KeptSentences()];
    const stop = new AbortController();
    const cut = say(callOver(voices, kept), stop);
    await Promise.resolve();
    stop.abort();
    expect(await cut).toBe("");
    expect(await say(callOver(voices, kept))).toBe("Hello there.");
  });
});
