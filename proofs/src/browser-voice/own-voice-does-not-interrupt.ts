import { setTimeout as delay } from "node:timers/promises";
import { waitUntil } from "../browsers/wait-until.ts";
import { speak } from "@svc/rehearsal";
import { openBrowser } from "../browsers/browser.ts";
import type { Page } from "../browsers/browser.ts";
import type { Claim } from "../runner/proof.ts";
import { SENTENCES } from "../voice/speaking-visitor.ts";
import type { TalkStage } from "../voice/talk-stage.ts";
import { openHeadset } from "./headset.ts";
import { countClears, openRecordingSite, startTalking } from "./recording-site.ts";

const TURNS = { quick: 8, full: 50 };
const CUT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 15_000;
/** Nobody types the moment that somebody else has ended. */
const THINKS_MS = 300;
/** For the visitor who interrupts, and the control. */
const LEFT_MS = 18_000;
/** What the loudspeaker plays comes back to the microphone 20 dB softer: 46 % of PulseAudio's scale, which is cubic. */
const ECHO = [
  "load-module module-loopback source=loudspeaker.monitor sink=mouth latency_msec=30",
  `set-sink-input-volume 0 ${Math.round(0.46 * 65_536)}`,
];

export const ownVoiceDoesNotInterrupt: Claim<TalkStage> = {
  promise: "An agent whose own voice comes back through the visitor's microphone goes on speaking",
  bound: `0 self-cuts in ${TURNS.quick} or with --full ${TURNS.full} turns at an echo of −20 dB, a visitor's voice cuts; without echo cancellation it fails`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ sized, say, progress, timeLeftMs, onEnd }, { model, serve }) => {
    let answers = 0;
    const next = (): string => SENTENCES[answers++ % SENTENCES.length]!;
    // Some two seconds of it.
    model.answers(() => `${next().split(" ").slice(0, 6).join(" ")}.`);
    const [headset, talkServer] = await Promise.all([
      openHeadset(ECHO),
      // A recogniser that takes every sound for words.
      serve(onEnd, { voice: "model", ears: "scripted", otherwise: "Stop." }, { SVC_ROLE: "all" }),
    ]);
    onEnd(() => headset.close());
    const url = await openRecordingSite(onEnd, talkServer);
    const browser = await openBrowser("chromium", { soundCard: headset });
    onEnd(() => browser.close());

    const wanted = sized(TURNS);
    const { page, call } = await startTalking(browser, url);
    const ask = async (): Promise<void> => {
      await delay(THINKS_MS);
      await call.say("Tell me more, please.");
    };
    await untilOver(page, 1);
    let turns = 1;
    for (; turns < wanted && timeLeftMs() > LEFT_MS; turns += 1) {
      await ask();
      await untilOver(page, turns + 1);
      progress(turns, wanted, "turns");
    }
    const cuts = await countClears(page);

    const { pcm } = await speak("Excuse me, what does it cost?");
    model.answers(() => `${next()} ${next()}`);
    await ask();
    await headset.untilLoud(ANSWER_WITHIN_MS);
    await delay(1_000);
    await headset.say(pcm);
    const isCut = await waitUntil(async () => (await countClears(page)) > cuts, CUT_WITHIN_MS);
    await page.close();

    const without = await startTalking(browser, url, { audioInstead: { echoCancellation: false } });
    await untilOver(without.page, 1);
    const controlCuts = await countClears(without.page);
    say(`control: ${controlCuts} self-cuts in a greeting without echo cancellation`);

    return {
      figure: `${cuts} self-cuts in ${turns} turns, a visitor's voice ${isCut ? "cuts" : "does not cut"}; without echo cancellation ${controlCuts} in 1`,
      ok: turns >= TURNS.quick && cuts === 0 && isCut && controlCuts > 0,
      size: `${turns} turns`,
      engines: [browser.version],
    };
  },
};

/** Until so many things that the agent said, its greeting among them, have ended one way or the other. */
async function untilOver(page: Page, count: number): Promise<void> {
  const countOver = (): number =>
    window.recording.reports.filter(({ type, state }) => type === "cleared" || state === "finished")
      .length;
  if (!(await waitUntil(async () => (await page.run(countOver)) >= count, ANSWER_WITHIN_MS)))
    throw new Error("an answer does not end");
}
