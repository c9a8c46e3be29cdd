import fc from "fast-check";
import { expect, test } from "vitest";
import type { LiveCleared, LivePlayback } from "@svc/contract/types";
import type { Outgoing } from "../call/outbox.ts";
import { mediaUnderTest } from "./media-under-test.ts";
import type { MediaUnderTest } from "./media-under-test.ts";

/** What a page really uses, and what the server's code knows nothing of. */
const { createGate } = (await import(
  new URL("../../../../sdk/src/livekit/gate.ts", import.meta.url).href
)) as {
  createGate: (
    rate: number,
    tell: (report: Omit<LivePlayback, "seq"> | Omit<LiveCleared, "seq">) => void,
  ) => { take(order: object): void; render(input: Float32Array, output: Float32Array): void };
};

/** One sample a millisecond is enough for sound that is as loud as its own number. */
const RATE = 1_000;
const STEP_MS = 5;
const SILENCE_MS = 300;
const FIRST = 1_000;

interface Network {
  /** Of the room, and of the socket at its best. */
  roomMs: number;
  socketMs: number;
  /** What the socket is late in addition, one after another. */
  stallsMs: number[];
}

interface OnItsWay {
  atMs: number;
  run: () => void;
}

/** A browser behind a network in which a room and a socket are late by different times. */
class Behind {
  /** The numbers of the milliseconds that were heard, in order. */
  readonly heard: number[] = [];
  readonly #under: MediaUnderTest;
  readonly #network: Network;
  readonly #toBrowser: OnItsWay[] = [];
  readonly #toServer: OnItsWay[] = [];
  readonly #onAir: number[];
  #queue: number[] = [];
  #droppedAtMs = -Infinity;
  #stalls = 0;

  constructor(network: Network) {
    this.#network = network;
    this.#onAir = Array.from({ length: network.roomMs }, () => 0);
    this.#under = mediaUnderTest((message) => {
      if (!(message instanceof Int16Array)) this.#send(this.#toBrowser, () => this.#take(message));
    });
    const { media } = this.#under;
    const queuedMs = (): number => this.#queue.length;
    media.use({
      get queuedMs() {
        return queuedMs();
      },
      play: (pcm) => this.#play(pcm),
      drop: () => {
        this.#droppedAtMs = this.#nowMs;
        this.#queue = [];
      },
    });
    media.hearInRoom(new Int16Array(512));
  }

  get media(): MediaUnderTest["media"] {
    return this.#under.media;
  }

  get told(): string[] {
    return this.#under.told;
  }

  readonly #gate = createGate(RATE, (report) =>
    this.#send(this.#toServer, () => {
      const { media } = this.#under;
      if (report.type === "cleared") media.cleared(report);
      else media.played(report);
    }),
  );

  advance(ms: number): void {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.#under.time.advance(STEP_MS);
      for (const way of [this.#toBrowser, this.#toServer])
        while (way[0] !== undefined && way[0].atMs <= this.#nowMs) way.shift()!.run();
      const input = new Float32Array(STEP_MS);
      for (let at = 0; at < STEP_MS; at++) {
        this.#onAir.push(this.#queue.shift() ?? 0);
        input[at] = this.#onAir.shift()! / 32_768;
      }
      const output = new Float32Array(STEP_MS);
      this.#gate.render(input, output);
      for (const sample of output)
        if (sample > 0.01) this.heard.push(Math.round(sample * 32_768) - FIRST);
    }
  }

  get #nowMs(): number {
    return this.#under.time.clock.monotonicMs();
  }

  #play(pcm: Int16Array): void {
    const silentMs = Math.ceil(this.#droppedAtMs + SILENCE_MS - this.#nowMs);
    this.#droppedAtMs = -Infinity;
    for (let left = silentMs; left > 0; left--) this.#queue.push(0);
    for (let at = 0; at < pcm.length; at += 24) this.#queue.push(pcm[at]!);
  }

  #send(way: OnItsWay[], run: () => void): void {
    const { socketMs, stallsMs } = this.#network;
    const stallMs = stallsMs[this.#stalls++ % stallsMs.length] ?? 0;
    way.push({ atMs: Math.max(way.at(-1)?.atMs ?? 0, this.#nowMs + socketMs + stallMs), run });
  }

  #take(message: Outgoing): void {
    this.#gate.take({ latencyMs: 0, ...message });
  }
}

/** Each millisecond as loud as its number. */
function words(fromMs: number, ms: number): Int16Array {
  return Int16Array.from({ length: ms * 24 }, (_, at) => FIRST + fromMs + Math.floor(at / 24));
}

const network = fc.record({
  roomMs: fc.integer({ min: 40, max: 250 }),
  socketMs: fc.integer({ min: 1, max: 60 }),
  stallsMs: fc.array(fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 2_500 })), {
    minLength: 1,
    maxLength: 12,
  }),
});
const step = fc.oneof(
  fc.record({ do: fc.constant("say" as const), ms: fc.integer({ min: 100, max: 1_500 }) }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 50, max: 2_000 }) }),
  fc.record({ do: fc.constant("pause" as const), ms: fc.integer({ min: 10, max: 800 }) }),
);

/** Each takes some thirty seconds of a call. */
const RUNS = { numRuns: 50 };
/** What a browser counts in steps of five milliseconds, and a server in frames of twenty. */
const ROUNDED_MS = 45;

// V3, V8
test("however late messages are, an answer is heard whole and once, with thoughts and pauses between", () => {
  fc.assert(
    fc.property(network, fc.array(step, { minLength: 1, maxLength: 8 }), (how, steps) => {
      const behind = new Behind(how);
      behind.advance(500);
      let saidMs = 0;
      let pauses = 0;
      const say = (ms: number): void => {
        behind.media.frame(words(saidMs, ms));
        saidMs += ms;
      };
      say(400);
      for (const one of steps) {
        if (one.do === "say") say(one.ms);
        else if (one.do === "wait") behind.advance(one.ms);
        else {
          pauses += 1;
          behind.media.pause();
          behind.advance(one.ms);
          behind.media.resume();
        }
      }
      behind.media.flush();
      behind.advance(saidMs + 30_000);
      expect(behind.told.at(-1)).toBe(`finished ${saidMs}`);
      const distinct = new Set(behind.heard).size;
      expect(distinct).toBeGreaterThanOrEqual(saidMs - (1 + pauses) * ROUNDED_MS);
      expect(behind.heard.length - distinct).toBeLessThanOrEqual((1 + pauses) * ROUNDED_MS);
    }),
    RUNS,
  );
});

// V1, V3
test("however late messages are, nothing is told as heard that was not", () => {
  fc.assert(
    fc.property(
      network,
      fc.integer({ min: 100, max: 4_000 }),
      fc.integer({ min: 300, max: 2_000 }),
      fc.integer({ min: 400, max: 1_500 }),
      (how, cutAfterMs, againAfterMs, nextMs) => {
        const behind = new Behind(how);
        behind.advance(500);
        behind.media.frame(words(0, 6_000));
        behind.advance(cutAfterMs);
        behind.media.clear();
        behind.advance(againAfterMs);
        const heardMs = new Set(behind.heard).size;
        const toldMs = Number(/cleared (\d+)/.exec(behind.told.join())?.[1]);
        expect(toldMs).toBeLessThanOrEqual(heardMs + ROUNDED_MS);
        behind.media.frame(words(10_000, nextMs));
        behind.media.flush();
        behind.advance(nextMs + 20_000);
        expect(behind.told.at(-1)).toBe(`finished ${nextMs}`);
        const next = behind.heard.filter((at) => at >= 10_000);
        expect(next.length).toBeGreaterThanOrEqual(nextMs - ROUNDED_MS);
        expect(next.length - new Set(next).size).toBeLessThanOrEqual(ROUNDED_MS);
      },
    ),
    RUNS,
  );
});
