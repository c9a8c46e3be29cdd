import { storable } from "#platform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Utterance } from "./utterance.ts";
import type { TimedWord } from "./word-times.ts";

const MS_A_LETTER = 60;

/** Said by a voice that takes as long for each letter, and reports its words as it will. */
function said(
  sentences: string[],
  report: (word: TimedWord) => TimedWord[] = (word) => [word],
): { utterance: Utterance; endMs: number } {
  const utterance = new Utterance("en");
  let atMs = 0;
  for (const sentence of sentences) {
    for (const text of utterance.say(sentence).split(" ")) {
      const endMs = atMs + text.length * MS_A_LETTER;
      utterance.timed(report({ text, startMs: atMs, endMs }));
      utterance.addAudio(endMs - atMs);
      atMs = endMs;
    }
  }
  utterance.complete();
  return { utterance, endMs: atMs };
}

describe("with word times", () => {
  it("has heard the words whose middle was played", () => {
    const { utterance, endMs } = said(["Our plan costs little.", "Shall we start?"]);
    expect(utterance.written).toBe("Our plan costs little. Shall we start?");
    expect(utterance.heard(0)).toBe("");
    expect(utterance.heard(80)).toBe("");
    expect(utterance.heard(100)).toBe("Our");
    expect(utterance.heard(310)).toBe("Our plan");
    expect(utterance.heard(19 * MS_A_LETTER)).toBe("Our plan costs little.");
    expect(utterance.heard(endMs)).toBe(utterance.written);
    expect(utterance.heard(Infinity)).toBe(utterance.written);
  });

  it("keeps spaces and punctuation as they were written", () => {
    const { utterance } = said([' Yes —  "really", don\'t (you) see?  ']);
    const all = new Set(Array.from({ length: 200 }, (_, at) => utterance.heard(at * 10)));
    expect([...all]).toEqual([
      "",
      "Yes",
      'Yes —  "really",',
      'Yes —  "really", don\'t',
      'Yes —  "really", don\'t (you)',
      'Yes —  "really", don\'t (you) see?',
    ]);
  });

  it("finds its way where a voice changes, splits, joins or leaves out words", () => {
    const sentence = "It takes 24 hours, don't worry about New York today.";
    const expected = said([sentence]).utterance;
    const odd = said([sentence], (word) => {
      const { text, startMs, endMs = 0 } = word;
      const middleMs = (startMs + endMs) / 2;
      if (text === "24")
        return [
          { text: "twenty", startMs, endMs: middleMs },
          { text: "four", startMs: middleMs, endMs },
        ];
      if (text === "don't")
        return [
          { text: "DON", startMs, endMs: middleMs },
          { text: "'T", startMs: middleMs, endMs },
        ];
      if (text === "New") return [];
      if (text === "York") return [{ text: "New York", startMs: startMs - 180, endMs }];
      if (text === "about") return [];
      return [{ ...word, text: text.toUpperCase() }];
    }).utterance;
    for (let ms = 0; ms < 4_000; ms += 20) {
      const difference = odd.heard(ms).length - expected.heard(ms).length;
      expect(Math.abs(difference), `${ms}: ${odd.heard(ms)}`).toBeLessThanOrEqual(9);
    }
  });

  it("spreads what is said over the sound when no reported word fits", () => {
    const { utterance, endMs } = said(["Our plan costs little."], ({ text, ...times }) => [
      { ...times, text: text.replaceAll(/./g, "ʊ") },
    ]);
    expect(utterance.heard(endMs / 2)).toBe("Our plan");
  });

  it("claims nothing of the next sentence while its times are to come", () => {
    const utterance = new Utterance("en");
    utterance.say("Yes.");
    utterance.say("I do.");
    utterance.timed([{ text: "Yes.", startMs: 0, endMs: 200 }]);
    utterance.addAudio(900);
    expect(utterance.heard(900)).toBe("Yes.");
  });

  it("keeps what sounded when the voice breaks off", () => {
    // L11
    const utterance = new Utterance("en");
    utterance.say("One two three.");
    utterance.timed([
      { text: "One", startMs: 0, endMs: 200 },
      { text: "two", startMs: 200, endMs: 400 },
      { text: "three.", startMs: 400, endMs: 700 },
    ]);
    utterance.addAudio(420);
    expect(utterance.heard(5_000)).toBe("One two");
  });
});

describe("with the starts of sentences only", () => {
  it("spreads the characters over the sentence's own sound", () => {
    const utterance = new Utterance("en");
    utterance.say("aaaa bbbb cccc dddd.");
    utterance.timed([{ text: "aaaa bbbb cccc dddd.", startMs: 0 }]);
    utterance.addAudio(500);
    // A guess until more is known.
    expect(utterance.heard(500)).toBe("aaaa bbbb");
    utterance.say("Next one.");
    utterance.timed([{ text: "Next one.", startMs: 2_000 }]);
    utterance.addAudio(2_500);
    expect(utterance.heard(500)).toBe("aaaa");
    expect(utterance.heard(1_250)).toBe("aaaa bbbb cccc");
    expect(utterance.heard(1_999)).toBe("aaaa bbbb cccc dddd.");
    utterance.complete();
    expect(utterance.heard(2_650)).toBe("aaaa bbbb cccc dddd. Next");
    expect(utterance.heard(3_000)).toBe("aaaa bbbb cccc dddd. Next one.");
  });

  it("takes a sentence without a start for the end of the one before", () => {
    const utterance = new Utterance("en");
    for (const sentence of ["aaaa bbbb.", "cccc dddd.", "eeee."]) utterance.say(sentence);
    utterance.timed([{ text: "aaaa bbbb.", startMs: 0 }]);
    utterance.timed([{ text: "eeee.", startMs: 1_600 }]);
    utterance.addAudio(2_000);
    expect(utterance.heard(800)).toBe("aaaa bbbb.");
    expect(utterance.heard(1_500)).toBe("aaaa bbbb. cccc dddd.");
  });

  it("does without any times", () => {
    const utterance = new Utterance("en");
    utterance.say("aaaa bbbb.");
    utterance.say("cccc dddd.");
    utterance.addAudio(4_000);
    utterance.complete();
    expect(utterance.heard(2_000)).toBe("aaaa bbbb.");
    expect(utterance.heard(4_000)).toBe("aaaa bbbb. cccc dddd.");
  });

  it("cuts between characters where a script has no spaces", () => {
    const utterance = new Utterance("zh");
    utterance.say("我们有二十五个人。");
    utterance.addAudio(800);
    utterance.complete();
    expect(utterance.heard(240)).toBe("我们");
    expect(utterance.heard(790)).toBe("我们有二十五个人。");
  });
});

it("is not heard without sound", () => {
  const utterance = new Utterance("en");
  utterance.say("Hello.");
  utterance.complete();
  expect(utterance.heard(1_000)).toBe("");
});

describe("whatever is said and reported", () => {
  const odd = [
    "\uD83D",
    "e\u0301",
    "👩🏽‍💻",
    "\0",
    "שלום",
    "مرحبا",
    "日本語。",
    "क्षि",
    "🇩🇪",
    "\u0600",
    "29",
    "$5",
    "a.b",
  ];
  const word = fc.oneof(
    fc.constantFrom(...odd, "plain", "words", "we", "(so)"),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const sentence = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  const time = fc.oneof(fc.integer({ min: -100, max: 5_000 }), fc.double());
  const timed = fc.record({
    text: fc.oneof(word, sentence),
    startMs: time,
    endMs: fc.option(time, { nil: undefined }),
  });
  type Step = { say: string } | { timed: TimedWord } | { echo: number } | { audio: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    sentence.map((say) => ({ say })),
    timed.map((one) => ({ timed: one })),
    fc.integer({ min: 1, max: 60 }).map((echo) => ({ echo })),
    fc.integer({ min: 1, max: 2_000 }).map((audio) => ({ audio })),
  );

  it("is a clean prefix, grows with the position and ends whole", () => {
    // V8, S1
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const utterance = new Utterance("en");
        let soundMs = 0;
        let spoken = "";
        for (const one of steps) {
          if ("say" in one) spoken += `${utterance.say(one.say)} `;
          else if ("timed" in one) utterance.timed([one.timed]);
          else if ("audio" in one) utterance.addAudio((soundMs += one.audio) && one.audio);
          else
            for (const [at, text] of spoken.split(" ").entries())
              utterance.timed([
                { text, startMs: at * one.echo * 5, endMs: (at + 1) * one.echo * 5 },
              ]);
        }
        const { written } = utterance;
        expect(storable(written)).toBe(written);
        expect(written.trim()).toBe(written);
        let last = "";
        for (let ms = -50; ms <= soundMs + 100; ms += Math.max(7, soundMs / 25)) {
          const heard = utterance.heard(ms);
          expect(written.startsWith(heard)).toBe(true);
          expect(heard.startsWith(last)).toBe(true);
          expect(heard.trim()).toBe(heard);
          expect(heard.isWellFormed()).toBe(true);
          const next = graphemes.segment(written).containing(heard.length);
          const isBorder = next === undefined || next.index === heard.length;
          expect(isBorder || /^\s/u.test(written.slice(heard.length))).toBe(true);
          last = heard;
        }
        utterance.complete();
        expect(utterance.heard(soundMs)).toBe(soundMs > 0 ? written : "");
      }),
      { numRuns: 300 },
    );
  });
});
