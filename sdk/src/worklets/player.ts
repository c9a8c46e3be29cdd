import type {
  LiveAudioClear,
  LiveAudioFlush,
  LiveAudioPause,
  LiveAudioResume,
  LiveAudioStart,
  LiveCleared,
  LivePlayback,
} from "@svc/contract/types";
import { createResampler } from "./resampler.ts";
import type { Resampler } from "./resampler.ts";

/** Plays one segment at a time and counts what it has output. */
export interface Player {
  take(order: PlayerOrder): void;
  /** Fills the next quantum of the output, which contains silence before. */
  render(output: Float32Array): void;
}

/** The server's messages about sound, and the sound itself. */
export type PlayerOrder =
  | (LiveAudioStart & {
      /** The time from output to the ear. */
      latencyMs: number;
    })
  | LiveAudioFlush
  | LiveAudioClear
  | LiveAudioPause
  | LiveAudioResume
  | ArrayBuffer;

export type PlayerReport = Omit<LivePlayback, "seq"> | Omit<LiveCleared, "seq">;

/** A ring buffer of 10.9 s at 24 kHz. The server is about a second ahead; frames that do not fit are dropped. */
const RING_SAMPLES = 2 ** 18;
/** The jitter buffer: two frames must have arrived before playback starts. With less, it would start and stop again at once. */
const MIN_TO_BEGIN_MS = 40;
/** What the agent shows with a word waits for the report that the word was heard. */
const REPORTS_PER_SEC = 10;

/** @param rate The sample rate of the output. */
export function createPlayer(rate: number, tell: (report: PlayerReport) => void): Player {
  const ring = new Int16Array(RING_SAMPLES);
  let resampler: Resampler;
  let segmentRate: number;
  let segment: number | undefined;
  /** The segment is finished or cleared: frames that still arrive are dropped. */
  let isOver = true;
  let isStarted: boolean;
  let isFlushed: boolean;
  let isPaused: boolean;
  /** The report that is due once the sound has stopped. */
  let owed: "paused" | "cleared" | undefined;
  /** Samples of the segment: received, and passed to the resampler. */
  let written: number;
  let read: number;
  /** Frames of the output: written, heard by now, and reported. */
  let made: number;
  let heard: number;
  let reported: number;
  let latency: number;
  let gain = 0;

  function begin(start: Extract<PlayerOrder, { type: "audio_start" }>): void {
    answer();
    ({ segment, sample_rate: segmentRate } = start);
    resampler = createResampler(segmentRate, rate);
    latency = (start.latencyMs * rate) / 1_000;
    isOver = isStarted = isFlushed = isPaused = false;
    written = read = made = heard = reported = gain = 0;
  }

  function write(bytes: ArrayBuffer): void {
    const samples = new Int16Array(bytes);
    if (isOver || written - read + samples.length > RING_SAMPLES) return;
    for (const sample of samples) ring[written++ % RING_SAMPLES] = sample;
  }

  /** Fades in and out within one quantum: an abrupt change would be audible as a click. */
  function play(output: Float32Array): number {
    const frames = output.length;
    const goal = !isPaused && owed === undefined && hasEnough(frames) ? 1 : 0;
    let count = 0;
    if (goal > 0 || gain > 0) {
      for (; count < frames && !isAtEnd(); count++) {
        while (resampler.isHungry()) {
          resampler.feed(read < written ? ring[read % RING_SAMPLES]! / 32_768 : 0);
          read++;
        }
        gain = Math.max(0, Math.min(1, gain + (2 * goal - 1) / frames));
        output[count] = resampler.make() * gain;
        made++;
      }
    }
    if (isAtEnd()) gain = 0;
    return count;
  }

  function isAtEnd(): boolean {
    return isFlushed && made * segmentRate >= written * rate;
  }

  /** Returns false when too little is left for a fade; playback then waits for more. */
  function hasEnough(frames: number): boolean {
    const minFrames = gain > 0 ? 2 * frames : (MIN_TO_BEGIN_MS * rate) / 1_000;
    return isFlushed || written - read > (minFrames * segmentRate) / rate;
  }

  function answer(): void {
    // Frames that were output will be heard.
    if (owed === "paused") report("paused", (heard = made));
    else if (owed === "cleared") {
      isOver = true;
      tell({ type: "cleared", segment: segment!, position_ms: toMs(made) });
    }
    owed = undefined;
  }

  function report(state: LivePlayback["state"], frames: number): void {
    reported = frames;
    tell({ type: "playback", segment: segment!, position_ms: toMs(frames), state });
  }

  function toMs(frames: number): number {
    return Math.round((frames / rate) * 1_000);
  }

  /** @param idle Frames without output, during which earlier output is still being heard. */
  function tellProgress(idle: number): void {
    heard = Math.min(made, Math.max(heard + idle, made - latency));
    if (isAtEnd() && heard === made) {
      isOver = true;
      report("finished", made);
    } else if (heard > 0 && !isStarted) {
      isStarted = true;
      report("started", heard);
    } else if (heard - reported >= rate / REPORTS_PER_SEC) report("playing", heard);
  }

  return {
    take(order) {
      if (order instanceof ArrayBuffer) write(order);
      else if (order.type === "audio_start") begin(order);
      else if (order.segment !== segment) {
        if (order.type === "audio_clear") {
          tell({ type: "cleared", segment: order.segment, position_ms: 0 });
        }
      } else if (order.type === "audio_clear") owed = "cleared";
      else if (isOver || owed === "cleared") return;
      else if (order.type === "audio_flush") isFlushed = true;
      else {
        isPaused = order.type === "audio_pause";
        owed = isPaused ? "paused" : undefined;
      }
    },

    render(output) {
      const count = isOver ? 0 : play(output);
      if (gain === 0) answer();
      if (!isOver && !isPaused) tellProgress(output.length - count);
    },
  };
}
