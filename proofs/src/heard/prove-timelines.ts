import { playTimeline } from "@svc/server/testing";
import type { TimelineFault } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import type { Tools } from "../runner/proof.ts";
import { drawTimeline } from "./draw-timeline.ts";
import { judgeTurn } from "./judge-turn.ts";

/** Ways to get it wrong that must be noticed. The first is what the library does by itself. */
const CONTROLS: TimelineFault[] = ["commits all", "cuts units", "ignores answers"];
const CONTROL_TIMELINES = 300;

export interface TimelineResult {
  timelines: number;
  turns: number;
  cut: number;
  faults: number;
  /** Each way to get it wrong was noticed. */
  isNoticed: boolean;
}

/** Plays drawn talks in virtual time, and judges each turn as it would be stored. */
export function proveTimelines(seed: number, tools: Tools): TimelineResult {
  const { say, progress, timeLeftMs, full } = tools;
  const total = full ? 1_000_000 : 20_000;
  const result: TimelineResult = { timelines: 0, turns: 0, cut: 0, faults: 0, isNoticed: true };
  for (const control of CONTROLS) {
    let noticed = 0;
    for (let index = 0; index < CONTROL_TIMELINES; index += 1)
      if (playDrawn(seed, index, control).faults.length > 0) noticed += 1;
    say(`control, ${control}: noticed in ${noticed} of ${CONTROL_TIMELINES} timelines`);
    if (noticed === 0) result.isNoticed = false;
  }
  const kinds = new Map<string, number>();
  for (; result.timelines < total && timeLeftMs() > 0; result.timelines += 1) {
    const { turns, cut, faults } = playDrawn(seed, result.timelines);
    result.turns += turns;
    result.cut += cut;
    result.faults += faults.length;
    for (const fault of faults) {
      if (!kinds.has(fault)) say(`  timeline ${result.timelines}: ${fault}`);
      kinds.set(fault, (kinds.get(fault) ?? 0) + 1);
    }
    progress(result.timelines, total, "timelines");
  }
  for (const [fault, count] of kinds) say(`  ${fault}: ${count}`);
  say(
    `${result.timelines.toLocaleString("en")} timelines, ${result.turns.toLocaleString("en")} turns, ${result.cut.toLocaleString("en")} of them cut: ${result.faults} faults`,
  );
  return result;
}

function playDrawn(
  seed: number,
  index: number,
  control?: TimelineFault,
): { turns: number; cut: number; faults: string[] } {
  const { timeline, texts } = drawTimeline(new Random(seed, index));
  const played = playTimeline(timeline, control);
  const faults = played.flatMap((turn, at) =>
    judgeTurn(turn, { turn: timeline.turns[at]!, text: texts[at]!, timeline }),
  );
  const cut = played.filter(({ stored }) => stored?.interrupted === true).length;
  return { turns: played.length, cut, faults };
}
