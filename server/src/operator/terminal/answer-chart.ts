import * as z from "zod";
import { tone, wrap } from "./terminal.ts";
import type { Terminal } from "./terminal.ts";

/** The times of one answer, stage by stage, in whole milliseconds since the visitor's last word. */
export interface AnswerTimes {
  transcript_ms?: number;
  end_of_turn_ms?: number;
  first_token_ms?: number;
  first_audio_ms?: number;
  playback_ms?: number;
}

const ms = z.number().nonnegative().exactOptional();
const AnswerTimes: z.ZodType<AnswerTimes> = z.object({
  transcript_ms: ms,
  end_of_turn_ms: ms,
  first_token_ms: ms,
  first_audio_ms: ms,
  playback_ms: ms,
});

/** In the order in which they pass. A letter each, so that a bar reads the same on every screen. */
const STAGES = [
  ["transcript_ms", "t", "transcript"],
  ["end_of_turn_ms", "e", "end of turn"],
  ["first_token_ms", "m", "model"],
  ["first_audio_ms", "v", "voice"],
  ["playback_ms", "p", "playback"],
] as const;

/** Undefined where nothing was measured. */
export function answerTimes(detail: unknown): AnswerTimes | undefined {
  const parsed = AnswerTimes.safeParse(detail);
  return parsed.success && waitedMs(parsed.data) > 0 ? parsed.data : undefined;
}

/** A bar for each answer, how long it took, and what half and nearly all of them took at most. */
export function answerChart(
  answers: { at: string; times: AnswerTimes }[],
  terminal: Terminal,
): string[] {
  if (answers.length === 0) return [];
  const waits = answers.map(({ times }) => waitedMs(times));
  const totals = waits.map((waited) => `${waited.toLocaleString("en")} ms`);
  const totalWidth = Math.max(...totals.map((text) => text.length));
  const clockWidth = Math.max(...answers.map(({ at }) => at.length));
  const barWidth = Math.max(10, terminal.width - clockWidth - totalWidth - 4);
  const unitMs = unitFor(Math.max(...waits) / barWidth);
  const longest = Math.max(...waits.map((waited) => Math.round(waited / unitMs)));
  return [
    tone(terminal, "quiet", wrap(legend(answers, unitMs), terminal.width, 0)),
    ...answers.map(({ at, times }, index) => {
      const total = totals[index]!.padStart(totalWidth);
      const shown = waits[index]! > SLOW_MS ? tone(terminal, "warn", total) : total;
      return `${tone(terminal, "quiet", at)}  ${bar(times, unitMs).padEnd(longest)}  ${shown}`;
    }),
    `p50 ${quantile(waits, 0.5).toLocaleString("en")} ms, p95 ${quantile(waits, 0.95).toLocaleString("en")} ms`,
  ];
}

/** The p95 limit of docs/operate/latency.md. */
const SLOW_MS = 2_000;

function waitedMs(times: AnswerTimes): number {
  return Math.round(Math.max(0, ...STAGES.map(([name]) => times[name] ?? 0)));
}

function legend(answers: { times: AnswerTimes }[], unitMs: number): string {
  const passed = STAGES.filter(([name]) => answers.some(({ times }) => times[name] !== undefined));
  const letters = passed.map(([, letter, stage]) => `${letter} ${stage}`).join(", ");
  return `${letters}; a letter is ${unitMs.toLocaleString("en")} ms`;
}

function bar(times: AnswerTimes, unitMs: number): string {
  return STAGES.reduce((drawn, [name, letter]) => {
    const until = Math.round((times[name] ?? 0) / unitMs);
    return drawn + letter.repeat(Math.max(0, until - drawn.length));
  }, "");
}

/** The next round number: 10, 20, 50, 100, 200 … */
function unitFor(minMs: number): number {
  const power = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, minMs))));
  return [1, 2, 5, 10].map((step) => step * power).find((unit) => unit >= minMs)!;
}

/** The least that this share of them does not exceed. */
function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
