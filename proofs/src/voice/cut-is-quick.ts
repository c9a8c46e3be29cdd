import { setTimeout as delay } from "node:timers/promises";
import { speak } from "@svc/rehearsal";
import { loadBareAgentSession, PacedMicrophone } from "@svc/server/testing";
import { quantile } from "../runner/figures.ts";
import type { Claim } from "../runner/proof.ts";
import { waitUntil } from "../browsers/wait-until.ts";
import { LONG_SPEECH, SpeakingVisitor } from "./speaking-visitor.ts";
import type { TalkStage } from "./talk-stage.ts";

const MAX_TIMES = 1.2;
const MAX_MS = { p50: 350, p95: 500 };
/** As the engine listens. */
const QUIET_MS = 250;
const CUT_AFTER_MS = 288;
/** What the library waits for unless it is told. */
const STOCK_CUT_AFTER_MS = 500;
const CUTS = [
  "Stop, please.",
  "Wait a moment.",
  "Excuse me, what does it cost?",
  "No, that is not what I meant.",
  "Sorry, can I ask something?",
];

/** Until each is silent. */
interface Silence {
  ours: number;
  bare: number;
  stock: number;
}

export const cutIsQuick: Claim<TalkStage> = {
  promise: "When a visitor cuts in, the agent is silent as soon as the library under it can be.",
  bound: `p50 and p95 ≤ ${MAX_TIMES} times a bare AgentSession; in --full ≤ ${MAX_MS.p50} and ≤ ${MAX_MS.p95} ms; stock settings are noticed`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ full, sized, say, progress, timeLeftMs, onEnd }, { model, serve }) => {
    model.answers(() => LONG_SPEECH);
    const { speech, enter } = await serve(onEnd, { ears: "scripted" });
    const visitor = new SpeakingVisitor(await enter());
    const bare = await openBare(CUT_AFTER_MS, onEnd);
    const stock = await openBare(STOCK_CUT_AFTER_MS, onEnd);
    const clips = await Promise.all(
      CUTS.flatMap((text) => (["rms", "slt"] as const).map((voice) => speak(text, { voice }))),
    );

    const cuts: Silence[] = [];
    const total = sized({ quick: 15, full: 100 });
    while (cuts.length < total && timeLeftMs() > 5_000) {
      const { pcm } = clips[cuts.length % clips.length]!;
      speech.hears(["Stop, please."]);
      await Promise.all([visitor.listen(), bare.speak(), stock.speak()]);
      // The same sound at the same moment, so that all meet the same load.
      const [{ silentAfterMs: ours, isCut }, bareMs, stockMs] = await Promise.all([
        visitor.interject(pcm),
        bare.interject(pcm),
        stock.interject(pcm),
      ]);
      if (ours === undefined || !isCut)
        throw new Error("a visitor who interrupted was talked over");
      cuts.push({ ours, bare: bareMs, stock: stockMs });
      progress(cuts.length, total, "cuts");
    }
    const at = (who: keyof Silence, share: number): number =>
      quantile(
        cuts.map((cut) => cut[who]),
        share,
      );
    for (const who of ["ours", "bare", "stock"] as const) {
      say(`${who}: p50 ${at(who, 0.5).toFixed(0)} ms, p95 ${at(who, 0.95).toFixed(0)} ms`);
    }
    const times = {
      p50: at("ours", 0.5) / at("bare", 0.5),
      p95: at("ours", 0.95) / at("bare", 0.95),
      stock: at("stock", 0.5) / at("bare", 0.5),
    };
    const isQuick = !full || (at("ours", 0.5) <= MAX_MS.p50 && at("ours", 0.95) <= MAX_MS.p95);
    return {
      figure: `p50 ${times.p50.toFixed(2)} and p95 ${times.p95.toFixed(2)} times, ${at("ours", 0.5).toFixed(0)} and ${at("ours", 0.95).toFixed(0)} ms; stock settings ${times.stock.toFixed(2)} times`,
      ok:
        cuts.length >= 10 &&
        times.p50 <= MAX_TIMES &&
        times.p95 <= MAX_TIMES &&
        isQuick &&
        times.stock > MAX_TIMES,
      size: `${cuts.length} cuts`,
    };
  },
};

interface BareSpeaker {
  /** Begins to say something long. */
  speak(): Promise<void>;
  /** Says it into that; returns until when it is silent. */
  interject(pcm: Int16Array): Promise<number>;
}

async function openBare(
  cutAfterMs: number,
  onEnd: (clean: () => unknown) => void,
): Promise<BareSpeaker> {
  const { BareAgentSession } = await loadBareAgentSession();
  const session = await BareAgentSession.start({ quietMs: QUIET_MS, cutAfterMs });
  const microphone = new PacedMicrophone((pcm) => session.hear(pcm));
  onEnd(async () => {
    microphone.close();
    await session.close();
  });
  return {
    speak: () => session.say(LONG_SPEECH, 30_000),
    async interject(pcm) {
      const { startedAt } = await microphone.say(pcm);
      await waitUntil(() => session.pausedAt !== undefined, 3_000);
      const { pausedAt = Number.NaN } = session;
      // It would be silent from the start while the visitor is taken to be speaking.
      await delay(2 * QUIET_MS);
      await session.cut();
      return pausedAt - startedAt;
    },
  };
}
