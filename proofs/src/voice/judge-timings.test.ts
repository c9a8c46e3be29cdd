import type { LiveCaption } from "@svc/contract/types";
import { expect, it } from "vitest";
import { judgeTimings } from "./judge-timings.ts";

const caption = (turn: string, role: LiveCaption["role"]): LiveCaption => ({
  type: "caption",
  seq: 1,
  turn,
  role,
  text: turn,
  final: true,
});
const TURNS = [caption("greeting", "assistant"), caption("q", "user"), caption("a", "assistant")];
const TIMED = {
  turn: "a",
  transcript_ms: 400,
  end_of_turn_ms: 300,
  first_token_ms: 500,
  first_audio_ms: 600,
  playback_ms: 600,
};

it("wants each answer to a spoken turn timed once, stage by stage", () => {
  expect(judgeTimings(TURNS, [TIMED])).toEqual([]);
  expect(judgeTimings(TURNS, [])).toHaveLength(1);
  expect(judgeTimings(TURNS, [TIMED, TIMED])).toHaveLength(1);
  expect(judgeTimings(TURNS, [{ ...TIMED, first_audio_ms: undefined }])).toHaveLength(1);
  expect(judgeTimings(TURNS, [{ ...TIMED, playback_ms: 100 }])).toHaveLength(1);
});
