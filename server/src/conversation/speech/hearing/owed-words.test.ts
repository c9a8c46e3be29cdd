import { AudioFrame } from "@livekit/rtc-node";
import { expect, it } from "vitest";
import { createFakeClock } from "#testing";
import { OwedWords } from "./owed-words.ts";

function listening() {
  const clock = createFakeClock();
  const owed = new OwedWords(clock, { voiceMs: 1_000, waitMs: 2_000 });
  /** Each a tenth of a second, of so much loudness. */
  const sounds = (...loudness: number[]): void => {
    for (const one of loudness) {
      owed.sound(new AudioFrame(new Int16Array(1_600).fill(one * 32_768), 16_000, 1, 1_600));
      clock.advance(100);
    }
  };
  const speaks = (secs: number): void => {
    for (let tenths = 0; tenths < secs * 10; tenths += 5) sounds(0.005, 0.2, 0.3, 0.2, 0.1);
  };
  return { clock, owed, sounds, speaks };
}

it("expects words of a voice, and has patience with them", () => {
  const { owed, speaks } = listening();
  speaks(1.5);
  expect([owed.areOwed, owed.areOverdue]).toEqual([true, false]);
  speaks(1);
  expect(owed.areOverdue).toBe(true);
  owed.answered();
  expect([owed.areOwed, owed.areOverdue]).toEqual([false, false]);
});

it("expects them of little voice only after more of it, however long ago it was", () => {
  const { clock, owed, speaks } = listening();
  speaks(0.5);
  clock.advance(60_000);
  expect(owed.areOverdue).toBe(false);
  speaks(1.5);
  expect(owed.areOverdue).toBe(true);
});

it("expects none of silence, of a hum, of knocks", () => {
  for (const [name, pattern] of Object.entries({
    silence: [0],
    "a hum": [0.05, 0.06, 0.05, 0.055],
    "soft noise": [0.001, 0.008, 0.002],
    knocks: [0.3, 0.004, 0.004, 0.4, 0.004],
  })) {
    const { owed, sounds } = listening();
    for (let round = 0; round < 100; round++) sounds(...pattern);
    expect(owed.areOverdue, name).toBe(false);
  }
});

it("takes a hum that sets in for a voice no longer than two seconds", () => {
  const { owed, sounds } = listening();
  sounds(...Array<number>(20).fill(0.002), ...Array<number>(100).fill(0.05));
  owed.answered();
  sounds(...Array<number>(100).fill(0.05));
  expect(owed.areOwed).toBe(false);
});
