import { speak } from "@svc/rehearsal";
import { openBrowser } from "./browsers/browser.ts";
import { QuietVisitor } from "./browser-timing/quiet-visitor.ts";
import type { Listened } from "./browser-timing/quiet-visitor.ts";
import { openRecordingSite } from "./browser-timing/recording-site.ts";
import { openScriptedProduct } from "./browser-timing/scripted-product.ts";
import { openHeadset } from "./browser-voice/headset.ts";
import { defineProof } from "./runner/proof.ts";
import { SENTENCES } from "./voice-timing/sentences.ts";

const TURNS = { quick: 8, full: 50 };
const CUT_WITHIN_MS = 5_000;
/** For the visitor who cuts in, and the control. */
const LEFT_MS = 18_000;
/** What the loudspeaker plays comes back to the microphone 20 dB softer: 46 % of PulseAudio's scale, which is cubic. */
const ECHO = [
  "load-module module-loopback source=loudspeaker.monitor sink=mouth latency_msec=30",
  `set-sink-input-volume 0 ${Math.round(0.46 * 65_536)}`,
];

export default defineProof({
  covers: [],
  claims: {
    "own-voice-does-not-interrupt": {
      promise:
        "An agent whose own voice comes back through the visitor's microphone goes on speaking",
      bound: `0 self-cuts in ${TURNS.quick} or with --full ${TURNS.full} turns at an echo of −20 dB, a visitor's voice cuts; without echo cancellation it fails`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, progress, timeLeftMs, onEnd }) => {
        let answers = 0;
        let isToBeCut = false;
        const reply = (): string => {
          const sentence = SENTENCES[answers++ % SENTENCES.length]!;
          return isToBeCut ? `${sentence} ${sentence}` : opening(sentence);
        };
        const [headset, product] = await Promise.all([
          openHeadset(ECHO),
          // Ears that take every sound for words.
          openScriptedProduct(onEnd, {
            reply,
            voice: "model",
            ears: "scripted",
            otherwise: "Stop.",
          }),
        ]);
        onEnd(() => headset.close());
        const site = await openRecordingSite(product);
        onEnd(() => site.close());
        const browser = await openBrowser("chromium", { soundCard: headset });
        onEnd(() => browser.close());

        const wanted = full ? TURNS.full : TURNS.quick;
        const visitor = await QuietVisitor.enter(browser, site.url, {});
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
        isToBeCut = true;
        await visitor.ask();
        await visitor.listenFor(1_000);
        await headset.say(pcm);
        const isCut = await visitor.isCut(ours.cuts + 1, CUT_WITHIN_MS);
        say(`a visitor who speaks into an answer ${isCut ? "cuts" : "does not cut"} it`);
        await visitor.leave();

        const without = await QuietVisitor.enter(browser, site.url, { echoCancellation: false });
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
    },
  },
});

/** Some two seconds of it. */
function opening(sentence: string): string {
  return `${sentence.split(" ").slice(0, 6).join(" ")}.`;
}

function told({ cuts, pausedAtMs, loudest }: Listened): string {
  const where = pausedAtMs.length === 0 ? "" : ` after ${pausedAtMs.join(", ")} ms`;
  return `${cuts} self-cuts, ${pausedAtMs.length} pauses${where}; the microphone's loudest sample was ${loudest.toFixed(3)}`;
}
