import { openBrowser } from "./browsers/browser.ts";
import { enterPlainly } from "./browser-timing/plain-visitor.ts";
import { openRecordingSite, readRecording } from "./browser-timing/recording-site.ts";
import type { Mark } from "./browser-timing/recording-site.ts";
import { openScriptedProduct } from "./browser-timing/scripted-product.ts";
import { startTalking, untilPage } from "./browser-timing/start-talking.ts";
import { writeVisitorSound } from "./browser-timing/visitor-sound.ts";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { waitUntil } from "./voice-timing/arrivals.ts";

const MOST_MS = { p50: 700, p95: 1_200 };
/** On a machine that does other things as well, by what the server takes alone. */
const MOST_TIMES = 2;
const MOST_MORE_MS = 300;
const PLANTED_MS = 1_500;
const PATIENCE_MS = 10_000;
/** As they follow one another after the click. */
const PARTS: [Mark, string][] = [
  ["worklets", "the sound's files are there"],
  ["microphone", "the microphone is open"],
  ["started", "the session is there"],
  ["welcome", "the server says welcome"],
  ["ordered", "it announces sound"],
  ["sound", "the first sound arrives"],
  ["audible", "it is heard"],
];

type Marks = Record<Mark, number>;

export default defineProof({
  covers: [],
  claims: {
    "first-word-fast": {
      promise: "Who clicks Talk hears the agent's first word at once",
      bound: `p50 ≤ ${MOST_TIMES} times what the server takes alone + ${MOST_MORE_MS} ms; in --full p50 ≤ ${MOST_MS.p50} and p95 ≤ ${MOST_MS.p95} ms; ${PLANTED_MS} ms planted are noticed`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, progress, timeLeftMs, onEnd }) => {
        const product = await openScriptedProduct(onEnd, { reply: () => "Yes." });
        const site = await openRecordingSite(product);
        onEnd(() => site.close());
        const silence = writeVisitorSound(
          [new Int16Array(1)],
          { count: 1, periodMs: 20_000 },
          onEnd,
        );
        const browser = await openBrowser("chromium", { microphone: silence });
        onEnd(() => browser.close());

        /** After the click. */
        async function talk(before = ""): Promise<Marks> {
          const { page, call } = await startTalking(browser, site.url, before);
          if (!(await untilPage(page, "recording.marks.audible !== undefined", PATIENCE_MS)))
            throw new Error(`nothing was heard: ${page.said().join("; ")}`);
          const { marks } = await readRecording(page);
          await call.click("button.end");
          await page.close();
          const { click = Number.NaN } = marks;
          return Object.fromEntries(
            PARTS.map(([mark]) => [mark, (marks[mark] ?? Number.NaN) - click]),
          ) as Marks;
        }

        /** The same without a browser: from the start over HTTP to the first sound. */
        async function enter(): Promise<number> {
          const from = performance.now();
          const visitor = await enterPlainly(product);
          await waitUntil(() => visitor.heard[0]?.stretches[0] !== undefined, PATIENCE_MS);
          const firstAt = visitor.heard[0]?.stretches[0]?.startedAt ?? Number.NaN;
          await visitor.leave();
          return firstAt - from;
        }

        // What is said for the first time is made; from then on its sound is kept.
        await enter();
        const visits: Marks[] = [];
        const server: number[] = [];
        const wanted = full ? 60 : 10;
        while (visits.length < wanted && timeLeftMs() > 15_000) {
          visits.push(await talk());
          server.push(await enter());
          progress(visits.length, wanted, "visits");
        }
        const at = (mark: Mark, share: number): number =>
          quantile(
            visits.map((marks) => marks[mark]),
            share,
          );
        for (const [mark, name] of PARTS) {
          say(`${at(mark, 0.5).toFixed(0)} ms, p95 ${at(mark, 0.95).toFixed(0)} ms: ${name}`);
        }
        const alone = quantile(server, 0.5);
        say(
          `without a browser ${alone.toFixed(0)} ms, p95 ${quantile(server, 0.95).toFixed(0)} ms`,
        );
        const planted = (await talk(`lateMs = ${PLANTED_MS};`)).audible;
        say(`control, ${PLANTED_MS} ms planted: ${planted.toFixed(0)} ms`);

        const [p50, p95] = [at("audible", 0.5), at("audible", 0.95)];
        const most = MOST_TIMES * alone + MOST_MORE_MS;
        const isQuick = !full || (p50 <= MOST_MS.p50 && p95 <= MOST_MS.p95);
        return {
          figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, the server alone ${alone.toFixed(0)} ms`,
          ok: visits.length >= 5 && p50 <= most && isQuick && planted > most,
          size: `${visits.length} visits`,
          engines: [browser.version],
        };
      },
    },
  },
});
