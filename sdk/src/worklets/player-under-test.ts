import { createPlayer } from "./player.ts";
import type { PlayerReport } from "./player.ts";

export const OUTPUT_RATE = 48_000;
/** Frames that a browser asks for at a time. */
export const QUANTUM = 128;
const SEGMENT_RATE = 24_000;

type Command = "audio_flush" | "audio_clear" | "audio_pause" | "audio_resume";

export interface PlayerUnderTest {
  /** All that was put out. */
  output: number[];
  /** What was told: `state segment position`. */
  told: string[];
  start(segment: number, latencyMs?: number): void;
  order(type: Command, segment: number): void;
  /** So much sound, all of it at half strength: what is not silence can be counted. */
  frame(ms: number): void;
  render(ms: number): void;
}

export function playerUnderTest(): PlayerUnderTest {
  const output: number[] = [];
  const told: string[] = [];
  const player = createPlayer(OUTPUT_RATE, (report) => {
    told.push(describe(report));
  });
  return {
    output,
    told,
    start: (segment, latencyMs = 0) =>
      player.take({ type: "audio_start", seq: 1, segment, sample_rate: SEGMENT_RATE, latencyMs }),
    order: (type, segment) => player.take({ type, seq: 1, segment }),
    frame: (ms) => player.take(new Int16Array((ms * SEGMENT_RATE) / 1_000).fill(16_384).buffer),
    render(ms) {
      const quanta = Math.round((ms * OUTPUT_RATE) / 1_000 / QUANTUM);
      for (let count = 0; count < quanta; count++) {
        const quantum = new Float32Array(QUANTUM);
        player.render(quantum);
        output.push(...quantum);
      }
    },
  };
}

function describe(report: PlayerReport): string {
  const what = report.type === "cleared" ? "cleared" : report.state;
  return `${what} ${report.segment} ${report.position_ms}`;
}
