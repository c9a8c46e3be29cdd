import { setTimeout as delay } from "node:timers/promises";
import type { AudioFrame } from "@livekit/rtc-node";
import { describe, expect, it, vi } from "vitest";
import { AppError } from "#platform";
import { hearingUnderTest, numbersOf, ScriptedRecogniser, tenth } from "./hearing-under-test.ts";

const until = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 3_000, interval: 5 });

/** Loud and quiet in turn, as speech is. */
function voice(stream: { pushFrame(frame: AudioFrame): void }, ms: number): void {
  for (let tenths = 0; tenths < ms / 100; tenths++) {
    stream.pushFrame(tenth(tenths % 4 === 0 ? 200 : 6_000));
  }
}

// L10
describe("a lost connection", () => {
  it("is made again at once, and what was not in words is sent again", async () => {
    const recogniser = new ScriptedRecogniser();
    const { stream, heard } = hearingUnderTest([recogniser]);
    await until(() => expect(recogniser.connections).toHaveLength(1));
    const first = recogniser.connections[0]!;
    for (const number of [1_001, 1_002, 1_003, 1_004, 1_005]) stream.pushFrame(tenth(number));
    await until(() => expect(numbersOf(first)).toHaveLength(5));
    first.says("one two three", { endMs: 300 });
    await until(() => expect(heard).toEqual(["one two three"]));

    const lostAt = performance.now();
    first.lose();
    await until(() => expect(recogniser.connections).toHaveLength(2));
    expect(performance.now() - lostAt).toBeLessThan(1_000);
    stream.pushFrame(tenth(1_006));
    const second = recogniser.connections[1]!;
    await until(() => expect(numbersOf(second)).toEqual([1_004, 1_005, 1_006]));
    second.says("four five six", { endMs: 300 });
    await until(() => expect(heard).toEqual(["one two three", "four five six"]));
    expect(first.isClosed).toBe(true);
  });

  it("keeps what is said while there is none, up to its limit", async () => {
    const recogniser = new ScriptedRecogniser();
    const { stream } = hearingUnderTest([recogniser], { keptMs: 300, giveUpMs: 5_000 });
    await until(() => expect(recogniser.connections).toHaveLength(1));
    recogniser.isAway = true;
    recogniser.connections[0]!.lose();
    await until(() => expect(recogniser.connections).toHaveLength(2));
    for (const number of [1_001, 1_002, 1_003, 1_004]) stream.pushFrame(tenth(number));
    await delay(5);
    recogniser.isAway = false;
    await until(() => expect(recogniser.connections).toHaveLength(3));
    await until(() => expect(numbersOf(recogniser.connections[2]!)).toEqual([1_002, 1_003, 1_004]));
  });

  it("leads to another recogniser where it cannot be made, and stays there", async () => {
    const [first, fallback] = [new ScriptedRecogniser(), new ScriptedRecogniser()];
    first.isAway = true;
    const { stream, heard } = hearingUnderTest([first, fallback]);
    stream.pushFrame(tenth(1_001));
    await until(() => expect(numbersOf(fallback.connections[0]!)).toEqual([1_001]));
    fallback.connections[0]!.says("hello", { endMs: 100 });
    await until(() => expect(heard).toEqual(["hello"]));
    first.isAway = false;
    fallback.connections[0]!.lose();
    await until(() => expect(fallback.connections).toHaveLength(2));
    expect(first.connections).toHaveLength(1);
  });

  it("keeps the other sessions from asking who is away", async () => {
    const [first, fallback] = [new ScriptedRecogniser(), new ScriptedRecogniser()];
    first.isAway = true;
    for (let sessions = 0; sessions < 6; sessions++) {
      hearingUnderTest([first, fallback]);
      await until(() => expect(fallback.connections).toHaveLength(sessions + 1));
    }
    expect(first.connections).toHaveLength(3);
  });

  it("is an error that says why when nobody can hear any more", async () => {
    const recogniser = new ScriptedRecogniser();
    recogniser.isAway = true;
    const { errors } = hearingUnderTest([recogniser]);
    await until(() => expect(errors).toHaveLength(1));
    expect(errors[0]).toBeInstanceOf(AppError);
    expect(errors[0]).toMatchObject({
      what: "Nobody can hear the visitor any more.",
      why: "recogniser 1 is not to be reached: check its address and the network.",
    });
  });
});

// L10
describe("a final transcript", () => {
  it("that comes twice is told once, the same words later again", async () => {
    const recogniser = new ScriptedRecogniser();
    const { stream, heard } = hearingUnderTest([recogniser]);
    await until(() => expect(recogniser.connections).toHaveLength(1));
    const [connection] = recogniser.connections;
    voice(stream, 2_000);
    connection!.says("yes", { endMs: 500 });
    connection!.says("yes", { endMs: 500 });
    connection!.says("yes", { endMs: 450, isFinal: false });
    connection!.says("yes", { endMs: 1_500 });
    await until(() => expect(heard).toEqual(["yes", "yes"]));
  });

  it("without times takes with it what came before the utterance ended", async () => {
    const recogniser = new ScriptedRecogniser(false);
    const { stream, heard } = hearingUnderTest([recogniser]);
    await until(() => expect(recogniser.connections).toHaveLength(1));
    const first = recogniser.connections[0]!;
    stream.pushFrame(tenth(1_001));
    await until(() => expect(numbersOf(first)).toHaveLength(1));
    first.utteranceEnds();
    await delay(5);
    stream.pushFrame(tenth(1_002));
    await until(() => expect(numbersOf(first)).toHaveLength(2));
    first.says("hello");
    await until(() => expect(heard).toEqual(["hello"]));
    first.lose();
    await until(() => expect(numbersOf(recogniser.connections[1]!)).toEqual([1_002]));
  });
});

// L10
describe("a recogniser that is deaf", () => {
  it("is left for another while somebody speaks, who hears it all", async () => {
    const [first, fallback] = [new ScriptedRecogniser(), new ScriptedRecogniser()];
    const { stream } = hearingUnderTest([first, fallback]);
    voice(stream, 2_000);
    await until(() => expect(fallback.connections).toHaveLength(1));
    await until(() => expect(numbersOf(fallback.connections[0]!)).toHaveLength(20));
    expect(first.connections).toHaveLength(1);
  });

  it("is not suspected while nobody speaks, or words are coming", async () => {
    const recogniser = new ScriptedRecogniser();
    const { stream } = hearingUnderTest([recogniser]);
    for (let round = 0; round < 10; round++) {
      for (let tenths = 0; tenths < 4; tenths++) stream.pushFrame(tenth(100));
      await delay(40);
    }
    voice(stream, 400);
    for (let round = 0; round < 5; round++) {
      await delay(60);
      recogniser.connections[0]!.says("and", { isFinal: false });
      voice(stream, 400);
    }
    expect(recogniser.connections).toHaveLength(1);
  });

  it("is given up when it stays deaf", async () => {
    const [first, fallback] = [new ScriptedRecogniser(), new ScriptedRecogniser()];
    const { stream, errors } = hearingUnderTest([first, fallback], { giveUpMs: 10_000 });
    const talking = setInterval(() => voice(stream, 400), 10);
    await until(() => expect(errors).toHaveLength(1)).finally(() => clearInterval(talking));
    expect(errors[0]!.message).toContain("hears nothing although somebody speaks");
    expect([first.connections.length, fallback.connections.length]).toEqual([2, 1]);
  });
});

it("is closed without an error, even when nobody has heard for long", async () => {
  const recogniser = new ScriptedRecogniser();
  recogniser.isAway = true;
  const { stream, errors } = hearingUnderTest([recogniser], { giveUpMs: 50, backoffMs: 100 });
  await delay(70);
  stream.close();
  await delay(60);
  expect(errors).toEqual([]);
});

it("closes its connection, and makes none after that", async () => {
  const recogniser = new ScriptedRecogniser();
  const { stream, errors } = hearingUnderTest([recogniser]);
  await until(() => expect(recogniser.connections).toHaveLength(1));
  stream.close();
  expect(recogniser.connections[0]!.isClosed).toBe(true);
  await delay(60);
  expect(recogniser.connections).toHaveLength(1);
  expect(errors).toEqual([]);
});
