import { speak } from "@svc/rehearsal";
import type { VoiceVisitor } from "@svc/server/testing";
import { quantile } from "../pipeline/quantile.ts";
import type { Claim } from "../runner/proof.ts";
import { ChainByHand } from "./chain-by-hand.ts";
import { Arrivals, waitUntil } from "./speaking-visitor.ts";
import type { TalkStage } from "./talk-stage.ts";

const MAX_TIMES = 1.15;
const MAX_MORE_MS = { p50: 60, p95: 150 };
const QUESTIONS = ["What does it cost?", "How does it work?", "Can I try it today?"];
const ANSWER = "Yes, gladly. Go on.";
/** What vendors take to the first of it, in the middle of what they promise. */
const THINKS_MS = 350;
const SPEAKS_MS = 140;
const PLANTED_MS = 250;
const PLANTED_TURNS = 3;
const PATIENCE_MS = 5_000;

export const answerIsQuick: Claim<TalkStage> = {
  promise:
    "Between the last of a visitor's words and the first sound of the answer, Svc itself adds next to nothing to what the vendors take.",
  bound: `≤ ${MAX_TIMES} times the same chain by hand; in --full p50 ≤ +${MAX_MORE_MS.p50} ms, p95 ≤ +${MAX_MORE_MS.p95} ms; ${PLANTED_MS} ms planted are noticed`,
  timeLimitSecs: { quick: 90 },
  tier: "nightly",
  prove: async ({ full, sized, say, progress, timeLeftMs, onEnd }, { model, serve }) => {
    model.answers(() => ANSWER, THINKS_MS);
    const { speech, enter } = await serve(onEnd, { delayMs: SPEAKS_MS });
    const byHand = await ChainByHand.open(speech.url, model.baseUrl);
    onEnd(() => byHand.close());
    const visitor = await enter();
    const arrivals = new Arrivals(visitor);
    const clips = await Promise.all(
      QUESTIONS.map(async (text) => ({ text, pcm: (await speak(text)).pcm })),
    );
    /** Both hear the same at the same moment, so that both meet the same load. */
    async function ask(turn: number): Promise<{ ours: number; byHand: number }> {
      const { text, pcm } = clips[turn % clips.length]!;
      speech.hears([text, text]);
      const [ours, chain] = await Promise.all([answerMs(visitor, arrivals, pcm), byHand.ask(pcm)]);
      return { ours, byHand: chain };
    }

    await ask(0);
    const turns: { ours: number; byHand: number }[] = [];
    const total = sized({ quick: 10, full: 120 });
    while (turns.length < total && timeLeftMs() > 15_000) {
      turns.push(await ask(turns.length));
      progress(turns.length, total, "turns");
    }
    const at = (who: "ours" | "byHand", share: number): number =>
      quantile(
        turns.map((turn) => turn[who]),
        share,
      );
    const times = at("ours", 0.5) / at("byHand", 0.5);
    const more = (share: number): number => at("ours", share) - at("byHand", share);

    model.holdBack(PLANTED_MS);
    const slow: number[] = [];
    for (let turn = 0; turn < PLANTED_TURNS; turn += 1) slow.push((await ask(turn)).ours);
    const planted = quantile(slow, 0.5) / at("byHand", 0.5);
    say(`control, ${PLANTED_MS} ms planted: ${planted.toFixed(2)} times`);

    const isQuick = !full || (more(0.5) <= MAX_MORE_MS.p50 && more(0.95) <= MAX_MORE_MS.p95);
    return {
      figure: `${times.toFixed(2)} times, p50 +${more(0.5).toFixed(0)} ms, p95 +${more(0.95).toFixed(0)} ms over ${at("byHand", 0.5).toFixed(0)} ms`,
      ok: turns.length >= 8 && times <= MAX_TIMES && isQuick && planted > MAX_TIMES,
      size: `${turns.length} turns`,
    };
  },
};

/** From the last of what is asked to the first sound of the answer. */
async function answerMs(
  visitor: VoiceVisitor,
  arrivals: Arrivals,
  pcm: Int16Array,
): Promise<number> {
  const { endedAt } = await visitor.say(pcm);
  const firstAt = (): number | undefined => arrivals.first("sound", endedAt);
  if (!(await waitUntil(() => firstAt() !== undefined, PATIENCE_MS)))
    throw new Error("an answer did not come");
  await waitUntil(() => visitor.heard.at(-1)?.end === "finished", PATIENCE_MS);
  return firstAt()! - endedAt;
}
