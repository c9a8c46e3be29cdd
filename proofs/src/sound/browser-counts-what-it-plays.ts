import { speak, transcribe } from "@svc/rehearsal";
import { Random } from "@svc/tools/random";
import { ENGINES, openBrowser } from "../browsers/browser.ts";
import type { Engine, Page } from "../browsers/browser.ts";
import { writeWav } from "../browsers/write-wav.ts";
import type { Claim } from "../runner/proof.ts";
import { compareWords, foldedWords } from "../voice/read-sound.ts";
import { judgePlaying } from "./judge-playing.ts";
import type { Verdict } from "./judge-playing.ts";
import { openSoundSite } from "./sound-page.ts";

const SAID = "Good morning. Can you show me how the weekly report is made, and what it costs?";
const MAX_OFF_MS = 20;
/** Of full scale: a sample that was lost or played twice is ten times as far off. */
const MAX_OFF_SAMPLE = 0.01;
const MIN_AGREEMENT = 0.7;
const SEGMENT_MS = 1_400;

/** One browser, from a tap to closing its microphone. */
interface Tried {
  version: string;
  /** Words, by the microphone that says something. */
  heard: string[];
  played: PlayedSegment[];
  faults: string[];
}

interface PlayedSegment extends Verdict {
  /** How far off the worst position would be for a page that counts what has come. */
  arrivedWorstMs: number;
}

// V3, V8
export const browserCountsWhatItPlays: Claim<undefined> = {
  promise:
    "The visitor's browser knows to the millisecond what it has played, and its microphone is understood",
  bound:
    "every position ≤ 20 ms off in Chromium, Firefox and WebKit under a strict policy, ≥ 0.7 of the words, 0 faults",
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ sized, seed, say, onEnd, progress, timeLeftMs }) => {
    const { pcm, sampleRate } = await speak(SAID);
    const microphone = writeWav(onEnd, pcm, sampleRate);
    const clipMs = (pcm.length / sampleRate) * 1_000;
    const url = await openSoundSite(onEnd);

    async function tryEngine(engine: Engine, index: number): Promise<Tried> {
      const browser = await openBrowser(engine, { microphone });
      onEnd(() => browser.close());
      const page = await browser.newPage();
      await page.goto(url);
      await page.clickAt(20, 20);
      const { rate, devices } = await page.run(() => window.opened);
      const heard = engine === "chromium" ? await wordsHeard(page, clipMs + 500) : [];
      const random = new Random(seed, index);
      const wanted =
        engine === "chromium" ? sized({ quick: 12, full: 200 }) : sized({ quick: 4, full: 40 });
      const played: PlayedSegment[] = [];
      while (played.length < wanted && timeLeftMs() > 0) {
        played.push(await playSegment(page, played.length + 1, rate, random));
        progress(played.length, wanted, `segments in ${engine}`);
      }
      const faults = await page.run(faultsOfMicrophone, devices);
      for (const fault of faults) say(`${browser.version}: ${fault}`);
      return { version: browser.version, heard, played, faults };
    }

    const tried = await Promise.all(ENGINES.map(tryEngine));
    const played = tried.flatMap((one) => one.played);
    const worst = (what: Exclude<keyof PlayedSegment, "stops">): number =>
      Math.max(0, ...played.map((one) => one[what]));
    const heard = tried.flatMap((one) => one.heard);
    const agreement = compareWords(foldedWords(SAID), heard).share;
    const stops = played.reduce((sum, one) => sum + one.stops, 0);
    const faults = tried.flatMap((one) => one.faults).length;
    say(`the worst sample of all that was played is ${worst("worstSample").toFixed(4)} off`);
    say(`control: by what has come, positions are up to ${worst("arrivedWorstMs")} ms off`);
    return {
      figure: `${stops} stops in ${played.length} segments, worst ${worst("worstMs").toFixed(1)} ms off, ${agreement.toFixed(2)} of the words, ${faults} faults`,
      ok:
        worst("worstMs") <= MAX_OFF_MS &&
        worst("worstSample") <= MAX_OFF_SAMPLE &&
        agreement >= MIN_AGREEMENT &&
        faults === 0 &&
        worst("arrivedWorstMs") > 10 * MAX_OFF_MS &&
        tried.every((one) => one.played.length > 0),
      size: `${played.length} segments`,
      engines: tried.map(({ version }) => version),
    };
  },
};

/** The words that a page's microphone hears for a while. */
async function wordsHeard(page: Page, ms: number): Promise<string[]> {
  const frames = await page.run(async (waitMs) => {
    await window.wait(waitMs);
    return window.captured.map((bytes) => window.base64(new Uint8Array(bytes)));
  }, ms);
  const { text } = await transcribe(samplesOf(...frames));
  return foldedWords(text);
}

/** Plays a segment with pauses at random, to its end or until it is cleared. */
async function playSegment(
  page: Page,
  segment: number,
  rate: number,
  random: Random,
): Promise<PlayedSegment> {
  const pausesMs = Array.from({ length: segment % 4 }, () => random.integer(10, 260));
  const clearAfterMs = segment % 3 > 0 ? random.integer(10, 310) : undefined;
  const { reports, sound } = await page.run((at, plan) => window.play(at, plan), segment, {
    ms: SEGMENT_MS,
    pausesMs,
    ...(clearAfterMs !== undefined && { clearAfterMs }),
  });
  const stopsMs = reports
    .filter(({ type, state }) => type === "cleared" || state === "paused")
    .map(({ position_ms }) => position_ms);
  return {
    ...judgePlaying({ reports, samples: samplesOf(sound) }, rate),
    arrivedWorstMs: Math.max(0, ...stopsMs.map((stop) => SEGMENT_MS - stop)),
  };
}

/** Runs in the page: what does not hold of the microphone, that is, how its frames come, and that it is let go. */
async function faultsOfMicrophone(devices: string[]): Promise<string[]> {
  const { sound, streams } = window;
  const faults: string[] = [];
  const check = (isFine: boolean, fault: string): void => void (isFine || faults.push(fault));
  const during = async (ms: number): Promise<number> => {
    window.captured.length = 0;
    await window.wait(ms);
    return window.captured.length;
  };
  const isReleased = (stream: MediaStream): boolean =>
    stream.getTracks().every(({ readyState }) => readyState === "ended");
  const count = await during(960);
  check(count >= 26 && count <= 34, `${count} frames in 960 ms`);
  check(
    window.captured.every(({ byteLength }) => byteLength === 1024),
    "frames of other sizes",
  );
  sound.setMuted(true);
  check((await during(200)) === 0, "frames while muted");
  await sound.useDevice(devices.at(-1)!);
  check(isReleased(streams[0]!), "the first microphone is still held");
  check((await during(200)) === 0, "frames of a second microphone while muted");
  sound.setMuted(false);
  check((await during(300)) > 0, "no frames after muting");
  await sound.useDevice("no such device").then(
    () => faults.push("a device that is not there was taken"),
    ({ rung }: { rung?: string }) => check(rung === "none", `rung ${rung}`),
  );
  check((await during(300)) > 0, "no frames after a device that is not there");
  window.unplug();
  check(window.lost === 1, `lost ${window.lost} times`);
  sound.close();
  check((await during(200)) === 0, "frames after closing");
  check(streams.every(isReleased), "a microphone is still held");
  return [...faults, ...window.violations];
}

function samplesOf(...pieces: string[]): Int16Array {
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece, "base64")));
  const samples = new Int16Array(bytes.length / 2);
  bytes.copy(new Uint8Array(samples.buffer));
  return samples;
}
