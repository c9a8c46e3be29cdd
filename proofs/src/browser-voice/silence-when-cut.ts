import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { Random } from "@svc/tools/random";
import { openBrowser } from "../browsers/browser.ts";
import { writeWav } from "../browsers/sound-card.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { quantile } from "../runner/figures.ts";
import type { Claim } from "../runner/proof.ts";
import { SpeakingVisitor } from "../voice/speaking-visitor.ts";
import type { TalkStage } from "../voice/talk-stage.ts";
import {
  QUANTUM,
  countClears,
  openRecordingSite,
  readRecording,
  startTalking,
} from "./recording-site.ts";
import type { Recording } from "./recording-site.ts";

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
  promise:
    "When a visitor cuts in, the loudspeaker of their browser is silent within half a second",
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
      await waitUntil(async () => (await countClears(page)) > before, PERIOD_MS);
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

/** A visitor spoke into what the agent was saying. */
export interface Interruption {
  /** From the first of the voice until nothing was put out any more. */
  silentAfterMs: number;
  /** Until the order to be silent had arrived; undefined when none had. */
  orderedAfterMs: number | undefined;
  /** How much of it was put out. */
  playedMs: number;
  /** And how much the page said that it was. */
  toldMs: number | undefined;
}

/** Louder than a quiet room; the same as where no browser listens. */
const VOICED = 300 / 32_768;
/** Between words is less. */
const PAUSE_MS = 500;
/** Longer than a click, shorter than an answer takes. */
const SILENT_MS = 120;
/** Sound is made in batches, ahead of the clock that messages are timed by or behind it. */
const AHEAD_SECS = 0.1;

/** What the samples say of each. The agent's sound must have no pauses of its own: they would count as not played. */
export function findInterruptions({
  rate,
  firstFrame,
  loudspeaker,
  microphone,
  orders,
  reports,
}: Recording): Interruption[] {
  const quantumMs = (QUANTUM / rate) * 1_000;
  const [pause, silence] = [PAUSE_MS, SILENT_MS].map((ms) => Math.ceil(ms / quantumMs)) as [
    number,
    number,
  ];
  const secsAt = (quantum: number): number => (firstFrame + quantum * QUANTUM) / rate;
  const sounds = stretches(loudspeaker, 0, silence);
  const found: Interruption[] = [];
  for (const { from: voiceFrom } of stretches(microphone, VOICED, pause)) {
    const cut = sounds.find(({ from, to }) => from < voiceFrom && voiceFrom < to);
    // What has not ended yet was not interrupted.
    if (cut === undefined || cut.to + silence > loudspeaker.length) continue;
    const voiceSecs = secsAt(voiceFrom);
    const order = orders.find(
      ({ type, atSecs }) =>
        type === "audio_pause" && atSecs > voiceSecs && atSecs < secsAt(cut.to) + AHEAD_SECS,
    );
    const report = reports.find(
      ({ type, atSecs }) => type === "cleared" && atSecs > secsAt(cut.to) - AHEAD_SECS,
    );
    found.push({
      silentAfterMs: (cut.to - voiceFrom) * quantumMs,
      orderedAfterMs: order && (order.atSecs - voiceSecs) * 1_000,
      playedMs: loudspeaker.slice(cut.from, cut.to).filter(Boolean).length * quantumMs,
      toldMs: report?.position_ms,
    });
  }
  return found;
}

/** Runs that are louder, with no pause so long in them. `to` is behind the last. */
export function stretches(
  peaks: number[],
  louderThan: number,
  pause: number,
): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const [at, peak] of peaks.entries()) {
    if (peak <= louderThan) continue;
    const last = runs.at(-1);
    if (last !== undefined && at - last.to < pause) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}
