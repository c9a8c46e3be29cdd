import { speak } from "@svc/rehearsal";
import type { VoiceVisitor } from "@svc/server/testing";
import { quantile } from "./pipeline/quantile.ts";
import { defineProof } from "./runner/proof.ts";
import { Arrivals, waitUntil } from "./voice-timing/arrivals.ts";
import { ChainByHand } from "./voice-timing/chain-by-hand.ts";
import { openTalkStage } from "./voice-timing/talk-stage.ts";

const MOST_TIMES = 1.15;
const MOST_MORE_MS = { p50: 60, p95: 150 };
/**
 * Silence that ends a turn. By hand it counts from the last sample of the voice; the engine's voice
 * detection hears the end some 80 ms later, and that is most of what is added.
 */
const END_OF_TURN_MS = 300;
const QUESTIONS = ["What does it cost?", "How does it work?", "Can I try it today?"];
const ANSWER = "Yes, gladly. Go on.";
/** What vendors take to the first of it, in the middle of what they promise. */
const THINKS_MS = 350;
const SPEAKS_MS = 140;
const PLANTED_MS = 250;
const PLANTED_TURNS = 3;
const SHARES = [
  [0.5, "p50"],
  [0.95, "p95"],
] as const;
const STAGES = ["transcript_ms", "end_of_turn_ms", "first_token_ms", "first_audio_ms"];

export default defineProof({
  covers: [],
  claims: {
    "answer-is-quick": {
      promise:
        "Between the last of a visitor's words and the first sound of the answer, Svc itself adds next to nothing to what the vendors take.",
      bound: `≤ ${MOST_TIMES} times the same chain by hand; in --full p50 ≤ +${MOST_MORE_MS.p50} ms, p95 ≤ +${MOST_MORE_MS.p95} ms; ${PLANTED_MS} ms planted are noticed`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async ({ full, say, progress, timeLeftMs, onEnd }) => {
        const stage = await openTalkStage(onEnd, { firstTokenMs: THINKS_MS, reply: () => ANSWER });
        const { model } = stage;
        const { speech, enter } = await stage.serve({ delayMs: SPEAKS_MS });
        const byHand = await ChainByHand.open({
          speechUrl: speech.url,
          modelUrl: model.baseUrl,
          endOfTurnMs: END_OF_TURN_MS,
        });
        onEnd(() => byHand.close());
        const visitor = await enter();
        const arrivals = new Arrivals(visitor);
        const clips = await Promise.all(
          QUESTIONS.map(async (text) => ({ text, pcm: (await speak(text)).pcm })),
        );
        /** Both hear the same at the same moment, so that both meet the same machine. */
        async function ask(turn: number): Promise<{ ours: number; byHand: number }> {
          const { text, pcm } = clips[turn % clips.length]!;
          speech.hears([text, text]);
          const [ours, chain] = await Promise.all([
            answerMs(visitor, arrivals, pcm),
            byHand.ask(pcm),
          ]);
          return { ours, byHand: chain };
        }

        await ask(0);
        const turns: { ours: number; byHand: number }[] = [];
        const total = full ? 120 : 10;
        while (turns.length < total && timeLeftMs() > 15_000) {
          turns.push(await ask(turns.length));
          progress(turns.length, total, "turns");
        }
        const [ours, chain] = [turns.map((turn) => turn.ours), turns.map((turn) => turn.byHand)];
        const times = quantile(ours, 0.5) / quantile(chain, 0.5);
        const more = (share: number): number => quantile(ours, share) - quantile(chain, share);
        for (const [share, name] of SHARES) {
          const [one, other] = [quantile(ours, share), quantile(chain, share)];
          say(`${name}: ${one.toFixed(0)} ms, by hand ${other.toFixed(0)} ms`);
        }
        say(`stages, p50: ${stagesOf(await stage.events(visitor.id, "timings"))}`);

        model.holdBack(PLANTED_MS);
        const slow: number[] = [];
        for (let turn = 0; turn < PLANTED_TURNS; turn += 1) slow.push((await ask(turn)).ours);
        const planted = quantile(slow, 0.5) / quantile(chain, 0.5);
        say(`control, ${PLANTED_MS} ms planted: ${planted.toFixed(2)} times`);

        const isQuick = !full || (more(0.5) <= MOST_MORE_MS.p50 && more(0.95) <= MOST_MORE_MS.p95);
        return {
          figure: `${times.toFixed(2)} times, p50 +${more(0.5).toFixed(0)} ms, p95 +${more(0.95).toFixed(0)} ms over ${quantile(chain, 0.5).toFixed(0)} ms`,
          ok: turns.length >= 8 && times <= MOST_TIMES && isQuick && planted > MOST_TIMES,
          size: `${turns.length} turns`,
        };
      },
    },
  },
});

/** From the last of what is asked to the first sound of the answer. */
async function answerMs(
  visitor: VoiceVisitor,
  arrivals: Arrivals,
  pcm: Int16Array,
): Promise<number> {
  const { endedAt } = await visitor.say(pcm);
  const firstAt = await arrivals.next("sound", endedAt, 5_000);
  if (firstAt === undefined) throw new Error("an answer did not come");
  await waitUntil(() => visitor.heard.at(-1)?.end === "finished", 5_000);
  return firstAt - endedAt;
}

/** As the operator sees them. */
function stagesOf(timings: Record<string, unknown>[]): string {
  const p50 = (stage: string): number =>
    quantile(
      timings.map((one) => Number(one[stage] ?? Number.NaN)),
      0.5,
    );
  return STAGES.map((stage) => `${stage} ${p50(stage)}`).join(", ");
}
