import type { LiveCaption } from "@svc/contract/types";

const STAGES = [
  "transcript_ms",
  "end_of_turn_ms",
  "first_token_ms",
  "first_audio_ms",
  "playback_ms",
];

/** Whether each answer to something spoken was timed once, stage by stage. */
export function judgeTimings(
  turns: readonly LiveCaption[],
  timings: readonly Record<string, unknown>[],
): string[] {
  const answers = turns.filter(
    ({ role }, index) => role === "assistant" && turns[index - 1]?.role === "user",
  );
  return answers.flatMap(({ turn, text }) => {
    const found = timings.filter((one) => one["turn"] === turn);
    const stages = found.map((one) => STAGES.map((stage) => Number(one[stage] ?? Number.NaN)));
    const isTimed = stages.length === 1 && isInOrder(stages[0]!);
    return isTimed ? [] : [`"${text}" was timed as ${JSON.stringify(found)}`];
  });
}

/** The end of a turn may be decided before its transcript is there. The rest follows one another. */
function isInOrder([transcriptMs = 0, ...others]: number[]): boolean {
  const rising = others.every((ms, index) => ms >= (others[index - 1] ?? 0));
  return transcriptMs >= 0 && rising;
}
