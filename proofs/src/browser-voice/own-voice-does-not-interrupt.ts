import { speak } from "@svc/rehearsal";
import { openBrowser } from "../browsers/browser.ts";
import type { Claim } from "../runner/proof.ts";
import { SENTENCES } from "../voice/sentences.ts";
import type { TalkStage } from "../voice/talk-stage.ts";
import { openHeadset } from "./headset.ts";
import { QuietVisitor } from "./quiet-visitor.ts";
import type { Listened } from "./quiet-visitor.ts";
import { openRecordingSite } from "./recording-site.ts";

const TURNS = { quick: 8, full: 50 };
const CUT_WITHIN_MS = 5_000;
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
    const visitor = await QuietVisitor.enter(browser, url);
    await visitor.listen();
    let turns = 1;
    for (; turns < wanted && timeLeftMs() > LEFT_MS; turns += 1) {
      await visitor.ask();
      await visitor.listen();
      progress(turns, wanted, "turns");
    }
    const ours = await visitor.listened();
    say(`${turns} turns: ${told(ours)}`);
    if (ours.cuts > 0) say(ours.story);

    const { pcm } = await speak("Excuse me, what does it cost?");
    model.answers(() => `${next()} ${next()}`);
    await visitor.ask();
    await visitor.listenFor(1_000);
    await headset.say(pcm);
    const isCut = await visitor.isCut(ours.cuts + 1, CUT_WITHIN_MS);
    await visitor.leave();

    const without = await QuietVisitor.enter(browser, url, {
      audioInstead: { echoCancellation: false },
    });
    await without.listen();
    const control = await without.listened();
    say(`control, a greeting without echo cancellation: ${told(control)}`);

    return {
      figure: `${ours.cuts} self-cuts and ${ours.pausedAtMs.length} pauses in ${turns} turns, a visitor's voice ${isCut ? "cuts" : "does not cut"}; without echo cancellation ${control.cuts} in 1`,
      ok: turns >= TURNS.quick && ours.cuts === 0 && isCut && control.cuts > 0,
      size: `${turns} turns`,
      engines: [browser.version],
    };
  },
};

function told({ cuts, pausedAtMs, loudest }: Listened): string {
  const where = pausedAtMs.length === 0 ? "" : ` after ${pausedAtMs.join(", ")} ms`;
  return `${cuts} self-cuts, ${pausedAtMs.length} pauses${where}; the microphone's loudest sample was ${loudest.toFixed(3)}`;
}
