import { expect, test } from "vitest";
import { ModelRecogniser } from "../recognition/recogniser.ts";
import { ModelVoice } from "../voices/voice.ts";
import { hum, speak, transcribe } from "./speech-models.ts";

// The first to need the recogniser's weights fetches them.
const FETCHED_WITHIN_MS = 60_000;

test("what is said is understood", { timeout: FETCHED_WITHIN_MS }, async () => {
  const { pcm, sampleRate, words } = await speak("What does it cost for a team of twenty people?");
  expect(sampleRate).toBe(16_000);
  const { text, confidence } = await transcribe(pcm);
  expect(text.toLowerCase()).toMatch(/cost.*team.*(twenty|20)/);
  expect(confidence).toBeGreaterThan(0.8);

  expect(words.map((word) => word.text).join(" ")).toContain("a team of twenty people?");
  const times = words.flatMap(({ startMs, endMs }) => [startMs, endMs]);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // Up to the end of "cost" nobody has spoken of a team.
  const cut = pcm.slice(0, words[3]!.endMs * 16);
  const heard = (await transcribe(cut)).text.toLowerCase();
  expect(heard).toContain("cost");
  expect(heard).not.toContain("team");
});

test("a hum has no words", { timeout: FETCHED_WITHIN_MS }, async () => {
  const { pcm } = await hum("m m hh m m");
  expect(pcm.length).toBeGreaterThan(16_000 * 0.4);
  expect((await new ModelRecogniser().attend().hear(pcm, "final")).text).toBe("");
});

test("any text is said, and the second time at once", async () => {
  const voice = new ModelVoice();
  for (const text of ["Grüße aus München!", "…", "-5 °C & 24/7 <b>", "日本語"]) {
    const sound = await voice.say(text);
    expect(sound.words.map((word) => word.text)).toEqual(text.split(" "));
    expect(await voice.say(text)).toBe(sound);
  }
});
