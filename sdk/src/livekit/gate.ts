import type {
  LiveAudioClear,
  LiveAudioFlush,
  LiveAudioPause,
  LiveAudioResume,
  LiveAudioStart,
  LivePlayback,
} from "@svc/contract/types";
import type { PlayerReport } from "../worklets/player.ts";

/** Lets through what the room plays while a segment is due, and counts how much of it was heard. */
export interface Gate {
  take(order: GateOrder): void;
  /** Passes the next quantum on. `output` contains silence before. */
  render(input: Float32Array | undefined, output: Float32Array): void;
}

/** The server's messages about a segment that comes over the room, and what the browser had to make up for. */
export type GateOrder =
  | (LiveAudioStart & { latencyMs: number })
  | LiveAudioFlush
  | LiveAudioClear
  | LiveAudioPause
  | LiveAudioResume
  | {
      type: "invented";
      /** Of all that the room has played, what nobody has sent. */
      ms: number;
    };

/** The server leaves out what is quieter than five times this. Silence comes out of the decoder far below it. */
const SILENT = 0.004;
/** The end of what was cut before may still come in. */
const SILENCE_MS = 40;
/** What is quiet all through begins, too. */
const BEGINS_AFTER_MS = 1_000;
/** What the agent shows with a word waits for the report that the word was heard. */
const REPORTS_PER_SEC = 10;

/** @param rate The sample rate of input and output. */
export function createGate(rate: number, tell: (report: PlayerReport) => void): Gate {
  let segment: number | undefined;
  /** `due`: the sound after the next silence is its own. */
  let state: "over" | "due" | "open" | "paused" = "over";
  let owed: "paused" | "cleared" | undefined;
  let isStarted: boolean;
  let fromMs = 0;
  let lengthMs: number | undefined;
  let inventedMs = 0;
  /** As it was when the segment began or went on. */
  let inventedBeforeMs = 0;
  /** Frames since it began or went on: put out, heard by now, and reported. */
  let made = 0;
  let heard = 0;
  let reported = 0;
  let latency = 0;
  let silent = 0;
  let waited = 0;
  let gain = 0;

  function expect(position: number): void {
    answer();
    state = "due";
    fromMs = position;
    made = heard = reported = waited = gain = 0;
  }

  function positionMs(frames: number): number {
    const sourceMs = Math.max(0, (frames / rate) * 1_000 - (inventedMs - inventedBeforeMs));
    return Math.round(Math.min(fromMs + sourceMs, lengthMs ?? Infinity));
  }

  /** Returns where the segment begins in these samples: their number where it is due and does not. */
  function begin(input: Float32Array): number {
    const isDue = state === "due";
    for (let at = 0; at < input.length; at++) {
      waited++;
      const isSilent = Math.abs(input[at]!) < SILENT;
      const isNext = !isSilent && silent >= (SILENCE_MS * rate) / 1_000;
      silent = isSilent ? silent + 1 : 0;
      if (isDue && (isNext || waited >= (BEGINS_AFTER_MS * rate) / 1_000)) {
        state = "open";
        gain = 1;
        inventedBeforeMs = inventedMs;
        return at;
      }
    }
    return isDue ? input.length : 0;
  }

  function answer(): void {
    if (owed === undefined) return;
    // Frames that were put out will be heard.
    if (owed === "paused") report("paused", made);
    else {
      tell({ type: "cleared", segment: segment!, position_ms: positionMs(made) });
      state = "over";
    }
    owed = undefined;
  }

  function report(what: LivePlayback["state"], frames: number): void {
    reported = frames;
    tell({ type: "playback", segment: segment!, position_ms: positionMs(frames), state: what });
  }

  function tellProgress(): void {
    heard = Math.max(0, made - latency);
    if (heard > 0 && !isStarted) {
      isStarted = true;
      report("started", heard);
    } else if (lengthMs !== undefined && positionMs(heard) >= lengthMs) {
      state = "over";
      report("finished", heard);
    } else if (heard - reported >= rate / REPORTS_PER_SEC) report("playing", heard);
  }

  return {
    take(order) {
      if (order.type === "invented") inventedMs = order.ms;
      else if (order.type === "audio_start") {
        expect(order.from_ms ?? 0);
        segment = order.segment;
        latency = (order.latencyMs * rate) / 1_000;
        isStarted = false;
        lengthMs = undefined;
      } else if (order.segment !== segment) {
        if (order.type === "audio_clear")
          tell({ type: "cleared", segment: order.segment, position_ms: 0 });
      } else if (order.type === "audio_clear") owed = "cleared";
      else if (state === "over" || owed === "cleared") return;
      else if (order.type === "audio_flush") lengthMs = order.length_ms;
      else if (order.type === "audio_resume") expect(order.from_ms ?? fromMs);
      else owed = "paused";
    },

    render(input, output) {
      // There is no channel before the track's first sound.
      if (input !== undefined) {
        const from = begin(input);
        const goal = state === "open" && owed === undefined ? 1 : -1;
        // Fades within one quantum: an abrupt end would be audible as a click.
        for (let at = from; at < input.length; at++) {
          if (goal < 0 && gain === 0) break;
          gain = Math.max(0, Math.min(1, gain + goal / input.length));
          output[at] = input[at]! * gain;
          if (state === "open") made++;
        }
      }
      if (owed !== undefined && gain === 0) {
        if (owed === "paused") state = "paused";
        answer();
      }
      if (state === "open") tellProgress();
    },
  };
}
