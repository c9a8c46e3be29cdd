import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { Random } from "@svc/tools/random";
import { openBrowser } from "../browsers/browser.ts";
import { writeWav } from "../browsers/write-wav.ts";
import { quantile } from "../pipeline/quantile.ts";
import type { Claim } from "../runner/proof.ts";
import { SpeakingVisitor } from "../voice/speaking-visitor.ts";
import type { TalkStage } from "../voice/talk-stage.ts";
import { findInterruptions } from "./find-interruptions.ts";
import type { Interruption } from "./find-interruptions.ts";
import {
  countClears,
  openRecordingSite,
  readRecording,
  startTalking,
  untilSo,
} from "./recording-site.ts";

const MAX_TIMES = 1.2;
const MAX_MORE_MS = 60;
const MAX_MS = { p50: 350, p95: 500 };
const MAX_OFF_MS = 20;
const LINES = ["Wait a moment.", "Can I ask something?", "Hold on a second."];
/** From one interruption to the next: it is understood, and two seconds and more of an answer are heard. */
const PERIOD_MS = 4_500;
/** One word, which the stand-in's voice says in one tone of eight seconds. */
const WITHOUT_PAUSE = `${"on-and-".repeat(19)}on.`;
const SAMPLES_PER_MS = 16;
/** 32 ms of sound. */
const FRAME_SAMPLES = 512;
const PLANTED_MS = 250;
const MORE_FOR_CONTROL = 4;
/** What was recorded is told in pieces. */
const SETTLED_MS = 500;

// V8
export const silenceWhenCut: Claim<TalkStage> = {
  promise: "When a visitor cuts in, the loudspeaker of their browser is silent at once",
  bound: `p50, in --full also p95, ≤ ${MAX_TIMES} times the server's own cut + ${MAX_MORE_MS} ms; in --full p50 ≤ ${MAX_MS.p50} and p95 ≤ ${MAX_MS.p95} ms; positions ≤ ${MAX_OFF_MS} ms off; ${PLANTED_MS} ms planted are noticed`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async (tools, { model, serve }) => {
    const { full, sized, seed, say, progress, timeLeftMs, onEnd } = tools;
    const random = new Random(seed);
    const wanted = sized({ quick: 6, full: 100 });
    const clips = await Promise.all(LINES.map(async (text) => (await speak(text)).pcm));
    // The first interrupts the greeting, which has pauses, and the last ones are the control's.
    const microphone = writeWav(onEnd, periodic(clips, 1 + wanted + MORE_FOR_CONTROL, random));
    model.answers(() => WITHOUT_PAUSE);
    const talkServer = await serve(
      onEnd,
      { ears: "scripted", otherwise: "Stop, please." },
      { SVC_ROLE: "all" },
    );
    const url = await openRecordingSite(onEnd, talkServer);
    const browser = await openBrowser("chromium", { microphone });
    onEnd(() => browser.close());
    const visitor = new SpeakingVisitor(await talkServer.join());
    const { page } = await startTalking(browser, url);

    /** After the next one, without the greeting's. */
    const readInterruptions = async (): Promise<Interruption[]> => {
      const before = await countClears(page);
      await untilSo(async () => (await countClears(page)) > before, PERIOD_MS);
      await delay(SETTLED_MS);
      return findInterruptions(await readRecording(page)).slice(1);
    };

    /** The same words without a browser meanwhile, so that both meet the same load. */
    const server: number[] = [];
    let done = 0;
    while (done < wanted && timeLeftMs() > MORE_FOR_CONTROL * PERIOD_MS) {
      await visitor.listen();
      const clip = clips[server.length % clips.length]!;
      // Nobody begins to speak with a frame of the microphone.
      const lead = new Int16Array(random.integer(0, FRAME_SAMPLES - 1));
      const { silentAfterMs } = await visitor.interject(Int16Array.from([...lead, ...clip]));
      if (silentAfterMs === undefined) throw new Error("a visitor who interrupted was talked over");
      server.push(silentAfterMs);
      done = (await countClears(page)) - 1;
      progress(Math.max(0, done), wanted, "interruptions");
    }
    const found = await readInterruptions();
    await page.run((lateMs) => void Object.assign(window, { lateMs }), PLANTED_MS);
    const late = (await readInterruptions()).slice(found.length);

    const silent = (share: number, some = found): number =>
      quantile(
        some.map(({ silentAfterMs }) => silentAfterMs),
        share,
      );
    const max = (share: number): number => MAX_TIMES * quantile(server, share) + MAX_MORE_MS;
    const offMs = Math.max(
      ...found.map(({ playedMs, toldMs = Infinity }) => Math.abs(playedMs - toldMs)),
    );
    const planted = silent(0.5, late);
    say(`control: ${PLANTED_MS} ms later it is silent after ${planted.toFixed(0)} ms`);
    const isQuick =
      !full || (silent(0.5) <= MAX_MS.p50 && silent(0.95) <= Math.min(MAX_MS.p95, max(0.95)));
    return {
      figure: `p50 ${silent(0.5).toFixed(0)} and p95 ${silent(0.95).toFixed(0)} ms, the server's own ${quantile(server, 0.5).toFixed(0)} and ${quantile(server, 0.95).toFixed(0)}; positions ${offMs.toFixed(1)} ms off`,
      ok:
        found.length >= 5 &&
        server.length >= 5 &&
        silent(0.5) <= max(0.5) &&
        isQuick &&
        offMs <= MAX_OFF_MS &&
        planted > max(0.5),
      size: `${found.length} cuts`,
      engines: [browser.version],
    };
  },
};

/** So many clips, one at the end of every period, in the hiss of a quiet room: no microphone gives none. */
function periodic(clips: Int16Array[], count: number, random: Random): Int16Array {
  const period = PERIOD_MS * SAMPLES_PER_MS;
  const pcm = Int16Array.from({ length: (count + 1) * period }, () => random.integer(-3, 3));
  for (let at = 1; at <= count; at += 1) pcm.set(clips[at % clips.length]!, at * period);
  return pcm;
}
