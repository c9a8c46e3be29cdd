import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { openBrowser } from "./browsers/browser.ts";
import { findCuts } from "./browser-timing/find-cuts.ts";
import type { Cut } from "./browser-timing/find-cuts.ts";
import { enterPlainly } from "./browser-timing/plain-visitor.ts";
import { openRecordingSite, readRecording } from "./browser-timing/recording-site.ts";
import { openScriptedProduct } from "./browser-timing/scripted-product.ts";
import { startTalking, untilPage } from "./browser-timing/start-talking.ts";
import { writeVisitorSound } from "./browser-timing/visitor-sound.ts";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { SpeakingVisitor } from "./voice-timing/speaking-visitor.ts";

const MOST_TIMES = 1.2;
const MOST_MORE_MS = 60;
const MOST_MS = { p50: 350, p95: 500 };
const MOST_OFF_MS = 20;
const CUTS = ["Wait a moment.", "Can I ask something?", "Hold on a second."];
/** From one cut to the next: it is understood, and two seconds and more of an answer are heard. */
const PERIOD_MS = 4_500;
/** One word, which the stand-in's voice says in one tone of eight seconds. */
const WITHOUT_PAUSE = `${"on-and-".repeat(19)}on.`;
/** 32 ms of 16 kHz. */
const FRAME_SAMPLES = 512;
const PLANTED_MS = 250;
const MORE_CUTS = 4;
/** What was recorded is told in pieces. */
const SETTLED_MS = 500;
/** So often was the page told to be silent. */
const CLEARS = `recording.orders.filter(({ type }) => type === "audio_clear").length`;

// V8
export default defineProof({
  covers: [],
  claims: {
    "silence-when-cut": {
      promise: "When a visitor cuts in, the loudspeaker of their browser is silent at once",
      bound: `p50, in --full also p95, ≤ ${MOST_TIMES} times the server's own cut + ${MOST_MORE_MS} ms; in --full p50 ≤ ${MOST_MS.p50} and p95 ≤ ${MOST_MS.p95} ms; positions ≤ ${MOST_OFF_MS} ms off; ${PLANTED_MS} ms planted are noticed`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, progress, timeLeftMs, onEnd }) => {
        const wanted = full ? 100 : 6;
        const clips = await Promise.all(CUTS.map(async (text) => (await speak(text)).pcm));
        // The first one cuts the greeting, which has pauses, and the last ones are the control's.
        const count = 1 + wanted + MORE_CUTS;
        const microphone = writeVisitorSound(clips, { count, periodMs: PERIOD_MS }, onEnd);
        const product = await openScriptedProduct(onEnd, {
          reply: () => WITHOUT_PAUSE,
          ears: "scripted",
          otherwise: "Stop, please.",
        });
        const site = await openRecordingSite(product);
        onEnd(() => site.close());
        const browser = await openBrowser("chromium", { microphone });
        onEnd(() => browser.close());
        const plain = await enterPlainly(product);
        onEnd(() => plain.close());
        const visitor = new SpeakingVisitor(plain);
        const { page } = await startTalking(browser, site.url);

        const clears = (): Promise<number> => page.run(`return ${CLEARS};`);
        /** After the next one, without the greeting's. */
        const readCuts = async (): Promise<Cut[]> => {
          await untilPage(page, `${CLEARS} > ${await clears()}`, PERIOD_MS);
          await delay(SETTLED_MS);
          return findCuts(await readRecording(page)).slice(1);
        };

        /** The same words without a browser meanwhile, so that both meet the same machine. */
        const server: number[] = [];
        for (
          let done = 0;
          done < wanted && timeLeftMs() > MORE_CUTS * PERIOD_MS;
          done = (await clears()) - 1
        ) {
          await visitor.listen();
          const clip = clips[server.length % clips.length]!;
          const { silentAfterMs } = await visitor.interject(anywhereInFrame(clip));
          if (silentAfterMs === undefined) throw new Error("a visitor who cut in was talked over");
          server.push(silentAfterMs);
          progress(Math.max(0, done), wanted, "cuts");
        }
        const cuts = await readCuts();
        for (const cut of cuts) say(told(cut));
        say(`the server's own: ${server.map((ms) => ms.toFixed(0)).join(", ")} ms`);

        await page.run(`lateMs = ${PLANTED_MS};`);
        const late = (await readCuts()).slice(cuts.length);

        const silent = (share: number, some = cuts): number =>
          quantile(
            some.map(({ silentAfterMs }) => silentAfterMs),
            share,
          );
        const most = (share: number): number => MOST_TIMES * quantile(server, share) + MOST_MORE_MS;
        for (const share of [0.5, 0.95]) {
          say(
            `p${share * 100}: ${silent(share).toFixed(0)} ms, the server's own ${quantile(server, share).toFixed(0)} ms`,
          );
        }
        const offMs = Math.max(
          ...cuts.map(({ playedMs, toldMs = Infinity }) => Math.abs(playedMs - toldMs)),
        );
        const planted = silent(0.5, late);
        say(`control: ${PLANTED_MS} ms later it is silent after ${planted.toFixed(0)} ms`);
        const isQuick =
          !full ||
          (silent(0.5) <= MOST_MS.p50 && silent(0.95) <= Math.min(MOST_MS.p95, most(0.95)));
        return {
          figure: `p50 ${silent(0.5).toFixed(0)} and p95 ${silent(0.95).toFixed(0)} ms, the server's own ${quantile(server, 0.5).toFixed(0)} and ${quantile(server, 0.95).toFixed(0)}; positions ${offMs.toFixed(1)} ms off`,
          ok:
            cuts.length >= 5 &&
            server.length >= 5 &&
            silent(0.5) <= most(0.5) &&
            isQuick &&
            offMs <= MOST_OFF_MS &&
            planted > most(0.5),
          size: `${cuts.length} cuts`,
          engines: [browser.version],
        };
      },
    },
  },
});

/** Nobody begins to speak with a frame of the microphone. */
function anywhereInFrame(clip: Int16Array): Int16Array {
  const lead = Math.floor(Math.random() * FRAME_SAMPLES);
  const pcm = new Int16Array(lead + clip.length);
  pcm.set(clip, lead);
  return pcm;
}

function told({
  silentAfterMs,
  orderedAfterMs = Number.NaN,
  playedMs,
  toldMs = Number.NaN,
}: Cut): string {
  return `silent after ${silentAfterMs.toFixed(0)} ms, told to be after ${orderedAfterMs.toFixed(0)}; played ${playedMs.toFixed(1)} ms, told ${toldMs}`;
}
