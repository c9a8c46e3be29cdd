import { proveTimelines } from "./heard/prove-timelines.ts";
import { defineProof } from "./runner/proof.ts";
import { proveCuts } from "./voice-timing/prove-cuts.ts";

const MOST_WORDS_OFF = { timed: 1, untimed: 2 };
const TIMELINES_MS = { quick: 22_000, full: 240_000 };

// V1, V8, S1
export default defineProof({
  covers: [],
  claims: {
    "heard-is-what-was-played": {
      promise:
        "The transcript holds what the visitor heard and nothing else, wherever they cut in and whatever the network loses.",
      bound: `0 turns other than what was played; cut in the engine ≤ ${MOST_WORDS_OFF.timed} word off, ≤ ${MOST_WORDS_OFF.untimed} without word times`,
      timeLimitSecs: { quick: 90 },
      tier: "nightly",
      prove: async (tools) => {
        const { seed } = tools;
        const laterMs = tools.full ? TIMELINES_MS.full : TIMELINES_MS.quick;
        const { cuts, mostOff, unheard, listened } = await proveCuts(seed, {
          ...tools,
          timeLeftMs: () => Math.max(0, tools.timeLeftMs() - laterMs),
        });
        const { timelines, turns, cut, faults, isNoticed } = proveTimelines(seed, tools);
        return {
          figure:
            `${faults} in ${turns.toLocaleString("en")} turns, ${cut.toLocaleString("en")} of them cut; ` +
            `in the engine ${mostOff.timed} words off at most, ${mostOff.untimed} without word times`,
          ok:
            faults === 0 &&
            isNoticed &&
            cut > turns / 4 &&
            mostOff.timed <= MOST_WORDS_OFF.timed &&
            mostOff.untimed <= MOST_WORDS_OFF.untimed &&
            listened.agreed > listened.cuts / 2 &&
            unheard.ours === 0 &&
            unheard.bare > 0,
          size: `${timelines.toLocaleString("en")} timelines, ${cuts.toLocaleString("en")} cuts by voice`,
        };
      },
    },
  },
});
