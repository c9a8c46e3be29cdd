import { VoiceVisitor } from "@svc/server/testing";
import { openBrowser } from "./browsers/browser.ts";
import { writeWav } from "./browsers/sound-card.ts";
import { quantile } from "./runner/figures.ts";
import { startSession } from "./talk/visitor.ts";
import { waitUntil } from "./browsers/wait-until.ts";
import { openRecordingSite, readRecording, startTalking } from "./browser-voice/recording-site.ts";
import type { Changes } from "./browser-voice/recording-site.ts";
import { microphoneFallback } from "./browser-voice/microphone-fallback.ts";
import { ownVoiceDoesNotInterrupt } from "./browser-voice/own-voice-does-not-interrupt.ts";
import { silenceWhenCut } from "./browser-voice/silence-when-cut.ts";
import { talkingInTwenty } from "./browser-voice/talking-in-twenty.ts";
import { buildSdk } from "./product/whole-product.ts";
import { defineProof } from "./runner/proof.ts";
import { openTalkStage } from "./voice/talk-stage.ts";
import type { TalkStage } from "./voice/talk-stage.ts";

const MAX_MS = { p50: 700, p95: 1_200 };
/** On a machine that does other things as well, by what the server takes alone. */
const MAX_TIMES = 2;
const MAX_MORE_MS = 300;
const PLANTED_MS = 1_500;
const PATIENCE_MS = 10_000;
/** Several seconds, so that it can be interrupted. */
const GREETING =
  "Hello and welcome, I am the guide to this page: ask me what you want to know, and I will show it to you.";

/** Talks by voice in a real browser, on a page that records what goes through its microphone and its loudspeaker. */
export default defineProof<TalkStage>({
  covers: ["sdk/src/", "server/src/conversation/", "server/src/live/"],
  open: async ({ onEnd }) => {
    await buildSdk();
    return openTalkStage(onEnd, { greeting: GREETING });
  },
  claims: {
    "first-word-fast": {
      promise: "Who clicks Talk hears the agent's first word at once",
      bound: `p50 ≤ ${MAX_TIMES} times what the server takes alone + ${MAX_MORE_MS} ms; in --full p50 ≤ ${MAX_MS.p50} and p95 ≤ ${MAX_MS.p95} ms; ${PLANTED_MS} ms planted are noticed`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, sized, say, progress, timeLeftMs, onEnd }, { serve }) => {
        const talkServer = await serve(onEnd, {}, { SVC_ROLE: "all" });
        const { server, agentId } = talkServer;
        const url = await openRecordingSite(onEnd, talkServer);
        const microphone = writeWav(onEnd, new Int16Array(16_000 * 40));
        const browser = await openBrowser("chromium", { microphone });
        onEnd(() => browser.close());

        /** From the click to the first sound that is heard. */
        async function clickAndHear(changes?: Changes): Promise<number> {
          const { page, call } = await startTalking(browser, url, changes);
          const isHeard = async (): Promise<boolean> =>
            page.run(() => window.recording.marks.audible !== undefined);
          if (!(await waitUntil(isHeard, PATIENCE_MS)))
            throw new Error(`nothing was heard: ${page.said().join("; ")}`);
          const { click = Number.NaN, audible = Number.NaN } = (await readRecording(page)).marks;
          await call.end();
          await page.close();
          return audible - click;
        }

        /** The same without a browser: from the start over HTTP to the first sound. */
        async function startAndHear(): Promise<number> {
          const from = performance.now();
          const started = await startSession(server.url, {
            agentId,
            language: "en",
            mode: "voice",
          });
          const { session_id: id, ticket, live_url } = started;
          const visitor = await VoiceVisitor.join(live_url, { id, ticket });
          await waitUntil(() => visitor.heard[0]?.stretches[0] !== undefined, PATIENCE_MS);
          const firstAt = visitor.heard[0]?.stretches[0]?.startedAt ?? Number.NaN;
          await visitor.leave();
          return firstAt - from;
        }

        // What is said for the first time is made; from then on its sound is kept.
        await startAndHear();
        const [visits, alone]: [number[], number[]] = [[], []];
        const wanted = sized({ quick: 10, full: 60 });
        while (visits.length < wanted && timeLeftMs() > 15_000) {
          visits.push(await clickAndHear());
          alone.push(await startAndHear());
          progress(visits.length, wanted, "visits");
        }
        const planted = await clickAndHear({ lateMs: PLANTED_MS });
        say(`control, ${PLANTED_MS} ms planted: ${planted.toFixed(0)} ms`);

        const [p50, p95, server50] = [
          quantile(visits, 0.5),
          quantile(visits, 0.95),
          quantile(alone, 0.5),
        ];
        const max = MAX_TIMES * server50 + MAX_MORE_MS;
        const isQuick = !full || (p50 <= MAX_MS.p50 && p95 <= MAX_MS.p95);
        return {
          figure: `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, the server alone ${server50.toFixed(0)} ms`,
          ok: visits.length >= 5 && p50 <= max && isQuick && planted > max,
          size: `${visits.length} visits`,
          engines: [browser.version],
        };
      },
    },
    "microphone-fallback": microphoneFallback,
    "own-voice-does-not-interrupt": ownVoiceDoesNotInterrupt,
    "silence-when-cut": silenceWhenCut,
    "talking-in-twenty": talkingInTwenty,
  },
});
