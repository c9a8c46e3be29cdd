import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { speak } from "@svc/rehearsal";
import { ENGINES, openBrowser } from "./browsers/browser.ts";
import type { Engine } from "./browsers/browser.ts";
import { defineProof } from "./runner/proof.ts";
import { openSoundSite } from "./sound/sound-page.ts";
import { faultsOfMicrophone, playSegment, tapAndOpen, wordsHeard } from "./sound/try-sound.ts";
import type { PlayedSegment } from "./sound/try-sound.ts";
import { wavOf } from "./sound/wav-of.ts";
import { compareWords, foldedWords } from "./voice/compare-words.ts";

const SAID = "Good morning. Can you show me how the weekly report is made, and what it costs?";
const SEGMENTS = { quick: { chromium: 12, others: 4 }, full: { chromium: 200, others: 40 } };
const MOST_OFF_MS = 20;
/** Of full scale: a sample that was lost or played twice is ten times as far off. */
const MOST_OFF_SAMPLE = 0.01;
const LEAST_AGREEMENT = 0.7;

// V3, V8
export default defineProof({
  covers: [],
  claims: {
    "browser-counts-what-it-plays": {
      promise:
        "The visitor's browser knows to the millisecond what it has played, and its microphone is understood",
      bound:
        "every position ≤ 20 ms off in Chromium, Firefox and WebKit under a strict policy, ≥ 0.7 of the words, 0 faults",
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, onEnd, progress, timeLeftMs }) => {
        const folder = mkdtempSync(join(tmpdir(), "svc-sound-"));
        onEnd(() => rmSync(folder, { recursive: true }));
        const microphone = join(folder, "microphone.wav");
        const { pcm, sampleRate } = await speak(SAID);
        writeFileSync(microphone, wavOf(pcm, sampleRate));
        const clipMs = (pcm.length / sampleRate) * 1_000;
        const site = await openSoundSite();
        onEnd(() => site.close());

        /** One browser, from a tap to closing its microphone. */
        async function tryEngine(engine: Engine): Promise<Tried> {
          const browser = await openBrowser(engine, { microphone });
          onEnd(() => browser.close());
          const page = await browser.newPage();
          const { rate, devices } = await tapAndOpen(page, site.url);
          const heard = engine === "chromium" ? await wordsHeard(page, clipMs + 500) : [];
          const { chromium, others } = SEGMENTS[full ? "full" : "quick"];
          const wanted = engine === "chromium" ? chromium : others;
          const played: PlayedSegment[] = [];
          while (played.length < wanted && timeLeftMs() > 0) {
            played.push(await playSegment(page, played.length + 1, rate));
            progress(played.length, wanted, `segments in ${engine}`);
          }
          const faults = await faultsOfMicrophone(page, devices);
          say(
            `${browser.version} at ${rate} Hz: worst position ${worst(played, "worstMs").toFixed(1)} ms off`,
          );
          for (const fault of faults) say(`${browser.version}: ${fault}`);
          return { version: browser.version, heard, played, faults };
        }

        const tried = await Promise.all(ENGINES.map(tryEngine));
        const heard = tried.flatMap((one) => one.heard);
        const agreement = compareWords(foldedWords(SAID), heard).share;
        say(`the microphone's sound is understood as: ${heard.join(" ")}`);
        const played = tried.flatMap((one) => one.played);
        const [worstMs, worstSample] = [worst(played, "worstMs"), worst(played, "worstSample")];
        const arrivedWorstMs = worst(played, "arrivedWorstMs");
        say(`the worst sample of all that was played is ${worstSample.toFixed(4)} off`);
        say(`control: by what has come, positions are up to ${arrivedWorstMs} ms off`);
        const stops = played.reduce((sum, one) => sum + one.stops, 0);
        const faults = tried.flatMap((one) => one.faults).length;

        return {
          figure: `${stops} stops in ${played.length} segments, worst ${worstMs.toFixed(1)} ms off, ${agreement.toFixed(2)} of the words, ${faults} faults`,
          ok:
            worstMs <= MOST_OFF_MS &&
            worstSample <= MOST_OFF_SAMPLE &&
            agreement >= LEAST_AGREEMENT &&
            faults === 0 &&
            arrivedWorstMs > 10 * MOST_OFF_MS &&
            tried.every((one) => one.played.length > 0),
          size: `${played.length} segments`,
          engines: tried.map(({ version }) => version),
        };
      },
    },
  },
});

interface Tried {
  version: string;
  /** Words, by the microphone that says something. */
  heard: string[];
  played: PlayedSegment[];
  faults: string[];
}

function worst(played: PlayedSegment[], what: Exclude<keyof PlayedSegment, "stops">): number {
  return Math.max(0, ...played.map((one) => one[what]));
}
