import type { Clock } from "#platform";
import type { Outgoing } from "../call/outbox.ts";
import type { After, SoundLine } from "./segment.ts";
import { WsMedia } from "./ws-media.ts";

/** For tests: time that moves when it is told to, and takes what is due with it. */
export class VirtualTime {
  #nowMs = 0;
  #due: { atMs: number; run: () => void }[] = [];

  readonly clock: Clock = { nowMs: () => this.#nowMs, monotonicMs: () => this.#nowMs };

  readonly after: After = (ms, run) => {
    const one = { atMs: this.#nowMs + Math.max(0, ms), run };
    this.#due.push(one);
    return () => void (this.#due = this.#due.filter((other) => other !== one));
  };

  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const [next] = this.#due.toSorted((one, other) => one.atMs - other.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#due = this.#due.filter((one) => one !== next);
      this.#nowMs = next.atMs;
      next.run();
    }
    this.#nowMs = untilMs;
  }
}

export interface MediaUnderTest {
  media: WsMedia;
  time: VirtualTime;
  line: SoundLine & { connected: boolean; silentMs: number };
  /** What went to the browser: messages as `type number`, sound as its number of samples. */
  sent: (string | number)[];
  /** What the listener was told. */
  told: string[];
}

export function mediaUnderTest(
  onSent: (one: Outgoing | Int16Array) => void = () => {},
): MediaUnderTest {
  const time = new VirtualTime();
  const sent: MediaUnderTest["sent"] = [];
  const told: string[] = [];
  const line = {
    connected: true,
    silentMs: 0,
    tell: (message: Outgoing) => {
      sent.push("segment" in message ? `${message.type} ${message.segment}` : message.type);
      onSent(message);
    },
    sound: (pcm: Int16Array) => {
      sent.push(pcm.length);
      onSent(pcm);
    },
  };
  const media = new WsMedia({
    line,
    clock: time.clock,
    after: time.after,
    lastSegment: 0,
    answerWithinMs: 300,
  });
  media.open({
    microphone: (pcm) => told.push(`microphone ${pcm.length}`),
    started: () => told.push("started"),
    position: (ms) => told.push(`position ${ms}`),
    paused: (ms) => told.push(`paused ${ms}`),
    finished: (ms) => told.push(`finished ${ms}`),
    cleared: (ms) => told.push(`cleared ${ms}`),
  });
  return { media, time, line, sent, told };
}

/** So much sound, each sample another. */
export function sound(ms: number): Int16Array {
  return Int16Array.from({ length: ms * 24 }, (_, index) => index % 30_000);
}
