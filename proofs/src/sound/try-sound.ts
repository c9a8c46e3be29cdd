import { transcribe } from "@svc/rehearsal";
import type { Page } from "../browsers/browser.ts";
import { foldedWords } from "../voice/compare-words.ts";
import { judgePlaying } from "./judge-playing.ts";
import type { Played, Verdict } from "./judge-playing.ts";

/** A page on which a visitor has tapped the button to talk. */
export interface OpenedSound {
  rate: number;
  /** Ids of its microphones. */
  devices: string[];
}

export async function tapAndOpen(page: Page, url: string): Promise<OpenedSound> {
  await page.goto(url);
  await page.clickAt(20, 20);
  return page.run("return opened;");
}

/** The words that its microphone hears for a while. */
export async function wordsHeard(page: Page, ms: number): Promise<string[]> {
  const frames = await page.run<string[]>(
    "return wait(a).then(() => frames.map((bytes) => base64(new Uint8Array(bytes))));",
    ms,
  );
  const bytes = Buffer.concat(frames.map((frame) => Buffer.from(frame, "base64")));
  return foldedWords((await transcribe(samplesOf(bytes))).text);
}

export interface PlayedSegment extends Verdict {
  /** How far off the worst position would be for a page that counts what has come. */
  arrivedWorstMs: number;
}

/** Plays a segment with pauses at random, to its end or until it is cleared. */
export async function playSegment(
  page: Page,
  segment: number,
  rate: number,
): Promise<PlayedSegment> {
  const ms = 1_400;
  const random = (mostMs: number): number => Math.round(10 + Math.random() * mostMs);
  const pausesMs = Array.from({ length: segment % 4 }, () => random(250));
  const plan = { ms, pausesMs, ...(segment % 3 > 0 && { clearAfterMs: random(300) }) };
  const { reports, sound } = await page.run<{ reports: Played["reports"]; sound: string }>(
    "return play(a, b);",
    segment,
    plan,
  );
  const samples = samplesOf(Buffer.from(sound, "base64"));
  const stopsMs = reports
    .filter(({ type, state }) => type === "cleared" || state === "paused")
    .map(({ position_ms }) => position_ms);
  return {
    ...judgePlaying({ reports, samples }, rate),
    arrivedWorstMs: Math.max(0, ...stopsMs.map((stop) => ms - stop)),
  };
}

/** What does not hold of the microphone: how its frames come, and that it is let go. */
export async function faultsOfMicrophone(page: Page, devices: string[]): Promise<string[]> {
  return page.run<string[]>(
    `return (async () => {
      const faults = [];
      const say = (isFine, fault) => { if (!isFine) faults.push(fault); };
      const during = async (ms) => { frames.length = 0; await wait(ms); return frames.length; };
      const rate = await during(960);
      say(rate >= 26 && rate <= 34, rate + " frames in 960 ms");
      say(frames.every(({ byteLength }) => byteLength === 1024), "frames of other sizes");
      sound.setMuted(true);
      say(await during(200) === 0, "frames while muted");
      await sound.useDevice(a.at(-1));
      say(streams[0].getTracks().every(({ readyState }) => readyState === "ended"), "the first microphone is still held");
      say(await during(200) === 0, "frames of a second microphone while muted");
      sound.setMuted(false);
      say(await during(300) > 0, "no frames after muting");
      await sound.useDevice("no such device").then(() => faults.push("a device that is not there was taken"), ({ cause }) => say(cause.name === "OverconstrainedError", "error " + cause.name));
      say(await during(300) > 0, "no frames after a device that is not there");
      unplug();
      say(lost === 1, "lost " + lost + " times");
      sound.close();
      say(await during(200) === 0, "frames after closing");
      say(streams.every((stream) => stream.getTracks().every(({ readyState }) => readyState === "ended")), "a microphone is still held");
      return [...faults, ...violations];
    })();`,
    devices,
  );
}

function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length / 2);
  bytes.copy(new Uint8Array(samples.buffer));
  return samples;
}
