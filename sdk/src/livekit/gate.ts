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
/** Between the end of what was said before, and what is said next. */
const SILENCE_MS = 40;
/** What was on its way at a cut has come by then. The server says nothing for 300 ms after it knows that the browser has stopped. */
const REST_MS = 250;
/** What is quiet all through begins, too. */
const BEGINS_AFTER_MS = 1_000;
/** Where packets are lost, the socket is held up, and words come before they are announced. */
const MAX_EARLY_SECS = 10;
/** What comes unannounced, is shorter than a word and is followed by so much silence is the noise of a bad network. */
const NOISE_AFTER_MS = 1_000;
const WORD_MS = 150;
/** What the agent shows with a word waits for the report that the word was heard. */
const REPORTS_PER_SEC = 10;

/** @param rate The sample rate of input and output. */
export function createGate(rate: number, tell: (report: PlayerReport) => void): Gate {
  const framesIn = (ms: number): number => (ms * rate) / 1_000;
  const early = new Early(MAX_EARLY_SECS * rate);
  let segment: number | undefined;
  /** `due`: the next words of the room are its own. */
  let state: "over" | "due" | "open" | "paused" = "over";
  /** What comes out of the room: the rest of what is over, silence after that, and then the next words. */
  let coming: "rest" | "silence" | "words" = "rest";
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
  let rest = 0;
  let waited = 0;
  let gain = 0;

  function expect(position: number): void {
    answer();
    if (state === "open") cut();
    state = "due";
    fromMs = position;
    made = heard = reported = waited = gain = 0;
  }

  function forget(next: "rest" | "silence"): void {
    early.clear();
    coming = next;
  }

  function cut(): void {
    forget("rest");
    rest = framesIn(REST_MS);
  }

  function exactMs(frames: number): number {
    const sourceMs = Math.max(0, (frames / rate) * 1_000 - (inventedMs - inventedBeforeMs));
    return Math.min(fromMs + sourceMs, lengthMs ?? Infinity);
  }

  function positionMs(frames: number): number {
    return Math.round(exactMs(frames));
  }

  /** Keeps the next words, whether they are due or not. */
  function listen(input: Float32Array): void {
    for (const sample of input) {
      silent = Math.abs(sample) < SILENT ? silent + 1 : 0;
      waited++;
      rest--;
      if (coming === "rest" && rest <= 0 && silent >= framesIn(SILENCE_MS)) coming = "silence";
      const isLate = state === "due" && waited >= framesIn(BEGINS_AFTER_MS);
      if (coming !== "words" && (isLate || (coming === "silence" && silent === 0))) {
        coming = "words";
        inventedBeforeMs = inventedMs;
      }
      if (coming !== "words") continue;
      early.push(sample);
      const isUnannounced = state === "over" || state === "paused";
      const isShort = early.length - silent < framesIn(WORD_MS);
      if (isUnannounced && isShort && silent >= framesIn(NOISE_AFTER_MS)) forget("silence");
    }
    if (early.isFull) forget("rest");
  }

  function answer(): void {
    if (owed === undefined) return;
    // Otherwise nothing of it is on its way, and what comes may be what it is told of next.
    if (state === "due" || state === "open") cut();
    // Frames that were put out will be heard.
    if (owed === "paused") {
      state = "paused";
      report("paused", made);
    } else {
      state = "over";
      tell({ type: "cleared", segment: segment!, position_ms: positionMs(made) });
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
    } else if (lengthMs !== undefined && exactMs(heard) >= lengthMs) {
      state = "over";
      forget("rest");
      report("finished", heard);
    } else if (heard - reported >= rate / REPORTS_PER_SEC) report("playing", heard);
  }

  /** Words that begin within this quantum, or all that came early: what is left of that waits for the next. */
  function putOut(output: Float32Array): void {
    const goal = owed === undefined ? 1 : -1;
    for (let at = output.length - Math.min(early.length, output.length); at < output.length; at++) {
      // Fades within one quantum: an abrupt end would be audible as a click.
      gain = Math.max(0, Math.min(1, gain + goal / output.length));
      if (gain === 0) return;
      output[at] = early.shift() * gain;
      made++;
    }
  }

  return {
    take(order) {
      if (order.type === "invented") inventedMs = order.ms;
      else if (order.type === "audio_start") {
        expect(order.from_ms ?? 0);
        segment = order.segment;
        latency = framesIn(order.latencyMs);
        isStarted = false;
        lengthMs = undefined;
      } else if (order.segment !== segment) {
        if (order.type === "audio_clear")
          tell({ type: "cleared", segment: order.segment, position_ms: 0 });
      } else if (order.type === "audio_clear") owed = "cleared";
      else if (state === "over" || owed === "cleared") return;
      else if (order.type === "audio_flush") lengthMs = order.length_ms;
      else if (order.type === "audio_resume") expect(order.from_ms ?? fromMs);
      else {
        // Each is answered: the server counts them.
        answer();
        owed = "paused";
      }
    },

    render(input, output) {
      // There is no channel before the track's first sound.
      if (input !== undefined) listen(input);
      if (state === "due" && coming === "words") {
        state = "open";
        gain = 1;
      }
      if (state === "open") putOut(output);
      if (owed !== undefined && (state !== "open" || gain === 0 || early.length === 0)) answer();
      if (state === "open") tellProgress();
    },
  };
}

/** A queue of samples in memory of its own: an audio thread must not wait for memory. */
class Early {
  readonly #samples: Float32Array;
  #first = 0;
  #length = 0;

  constructor(size: number) {
    this.#samples = new Float32Array(size);
  }

  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#samples.length;
  }

  push(sample: number): void {
    if (this.isFull) return;
    this.#samples[(this.#first + this.#length) % this.#samples.length] = sample;
    this.#length += 1;
  }

  shift(): number {
    const sample = this.#samples[this.#first]!;
    this.#first = (this.#first + 1) % this.#samples.length;
    this.#length -= 1;
    return sample;
  }

  clear(): void {
    this.#length = 0;
  }
}
