import { playTimeline } from "@svc/server/testing";
import type { TimelineFault } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { drawTimeline } from "./heard/draw-timeline.ts";
import { interruptSentences } from "./heard/interruptions.ts";
import { judgeTurn } from "./heard/judge-turn.ts";
import { defineProof } from "./runner/proof.ts";
import type { Outcome, Tools } from "./runner/proof.ts";

const MAX_WORDS_OFF = { timed: 1, untimed: 2 };
/** Kept for the timelines when the engine has had its turn. */
const TIMELINES_MS = { quick: 22_000, full: 240_000 };
/** Planted faults that must be noticed. The first is what the library does by itself. */
const CONTROLS: TimelineFault[] = ["commits all", "cuts units", "ignores answers"];
const CONTROL_TIMELINES = 300;

// V1, V8, S1
export default defineProof({
  covers: ["server/src/conversation/", "server/src/live/", "server/src/testing/"],
  claims: {
    "heard-is-what-was-played": {
      promise:
        "The transcript holds what the visitor heard and nothing else, wherever they cut in and whatever the network loses.",
      bound: `0 turns other than what was played; cut in the engine ≤ ${MAX_WORDS_OFF.timed} word off, ≤ ${MAX_WORDS_OFF.untimed} without word times`,
      timeLimitSecs: { quick: 90 },
      tier: "gate",
      prove: async (tools) => {
        // The gate has the timelines alone: they take no real time.
        const hasEngine = tools.sized({ gate: false, quick: true, full: true });
        const byEngine = hasEngine ? await inEngine(tools) : undefined;
        const byTimelines = inVirtualTime(tools);
        if (byEngine === undefined) return byTimelines;
        return {
          figure: `${byTimelines.figure}; ${byEngine.figure}`,
          ok: byTimelines.ok && byEngine.ok,
          size: `${byTimelines.size}, ${byEngine.size}`,
        };
      },
    },
  },
});

async function inEngine(tools: Tools): Promise<Outcome> {
  const laterMs = tools.sized(TIMELINES_MS);
  const { count, maxOff, listened, plantedOff } = await interruptSentences({
    ...tools,
    timeLeftMs: () => Math.max(0, tools.timeLeftMs() - laterMs),
  });
  tools.say(`control: whole sentences instead are up to ${plantedOff} words off`);
  return {
    figure: `in the engine ${maxOff.timed} words off at most, ${maxOff.untimed} without word times`,
    ok:
      maxOff.timed <= MAX_WORDS_OFF.timed &&
      maxOff.untimed <= MAX_WORDS_OFF.untimed &&
      listened.agreed > listened.count / 2 &&
      plantedOff > MAX_WORDS_OFF.timed,
    size: `${count.toLocaleString("en")} interruptions by voice`,
  };
}

/** Plays random talks in virtual time, and judges each turn as it would be stored. */
function inVirtualTime({ seed, sized, say, progress, timeLeftMs }: Tools): Outcome {
  const total = sized({ gate: 1_000, quick: 20_000, full: 1_000_000 });
  const unnoticed = CONTROLS.filter((control) => {
    const faults = Array.from(
      { length: CONTROL_TIMELINES },
      (_, at) => play(seed, at, control).faults,
    );
    const noticed = faults.filter(({ length }) => length > 0).length;
    say(`control, ${control}: noticed in ${noticed} of ${CONTROL_TIMELINES} timelines`);
    return noticed === 0;
  });
  let [timelines, turns, interrupted] = [0, 0, 0];
  const kinds = new Map<string, number>();
  for (; timelines < total && timeLeftMs() > 0; timelines += 1) {
    const played = play(seed, timelines);
    turns += played.turns;
    interrupted += played.interrupted;
    for (const fault of played.faults) {
      if (!kinds.has(fault)) say(`  timeline ${timelines}: ${fault}`);
      kinds.set(fault, (kinds.get(fault) ?? 0) + 1);
    }
    progress(timelines, total, "timelines");
  }
  for (const [fault, count] of kinds) say(`  ${fault}: ${count}`);
  const faults = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  return {
    figure: `${faults} in ${turns.toLocaleString("en")} turns, ${interrupted.toLocaleString("en")} of them cut`,
    ok: faults === 0 && unnoticed.length === 0 && interrupted > turns / 4,
    size: `${timelines.toLocaleString("en")} timelines`,
  };
}

function play(
  seed: number,
  index: number,
  control?: TimelineFault,
): { turns: number; interrupted: number; faults: string[] } {
  const { timeline, texts } = drawTimeline(new Random(seed, index));
  const played = playTimeline(timeline, control);
  return {
    turns: played.length,
    interrupted: played.filter(({ stored }) => stored?.interrupted === true).length,
    faults: played.flatMap((turn, at) =>
      judgeTurn(turn, { turn: timeline.turns[at]!, text: texts[at]!, timeline }),
    ),
  };
}
