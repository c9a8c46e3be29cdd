import { setTimeout as delay } from "node:timers/promises";
import { createLog, loadSpeech, speak, startConversation, systemClock } from "@svc/server/testing";
import type {
  ConversationListener,
  ConversationModels,
  Media,
  MediaListener,
} from "@svc/server/testing";
import { AGENT } from "../talks/airship-agent.ts";

/** Holds conversations by voice, and tells after each minute of sound what the process keeps of them. */

/** What it is told, as JSON in its first argument. */
export interface TalkOrder {
  /** Where the stand-in of those who hear and speak is. */
  speechUrl: string;
  sessions: number;
  /** Of sound, per session, after the first that does not count. */
  minutes: number;
  /** Times faster than it is spoken. */
  speed: number;
}

/** What it tells: once before the first minute that counts, once after each. */
export interface TalkReport {
  minute: number;
  keptMb: number;
  visitorTurns: number;
  agentTurns: number;
  voicesLost: number;
}

const FRAME_SAMPLES = 512;
const FRAME_MS = 32;
/** The visitor speaks, listens, and speaks again. */
const ROUND_MS = 12_000;
/** What is loaded and compiled once is there by then. */
const WARM_UP_MS = 60_000;
const LOOK_EVERY_MS = 400;
const MAX_LOOKS = 25;
const WORTH_WAITING_BYTES = 100_000;

const SAMPLES_PER_MS = 24;
const REPORT_EVERY_MS = 250;

/** A visitor's loudspeaker that plays everything so many times faster than it was spoken. */
class QuickMedia implements Media {
  readonly #speed: number;
  #listener: MediaListener | undefined;
  #lengthMs = 0;
  #playedMs = 0;
  #isComplete = false;
  #playing: NodeJS.Timeout | undefined;

  constructor(speed: number) {
    this.#speed = speed;
  }

  open(listener: MediaListener): void {
    this.#listener = listener;
  }

  microphone(pcm: Int16Array): void {
    this.#listener?.microphone(pcm);
  }

  frame(pcm: Int16Array): void {
    if (this.#lengthMs === 0) this.#listener?.started();
    this.#lengthMs += pcm.length / SAMPLES_PER_MS;
    this.resume();
  }

  flush(): void {
    this.#isComplete = true;
  }

  clear(): void {
    const playedMs = this.#end();
    setImmediate(() => this.#listener?.cleared(playedMs));
  }

  pause(): void {
    if (this.#playing === undefined) return;
    this.#stop();
    setImmediate(() => this.#listener?.paused(this.#playedMs));
  }

  resume(): void {
    if (this.#lengthMs === 0) return;
    this.#playing ??= setInterval(() => this.#play(), REPORT_EVERY_MS / this.#speed);
  }

  #play(): void {
    this.#playedMs = Math.min(this.#lengthMs, this.#playedMs + REPORT_EVERY_MS);
    if (this.#isComplete && this.#playedMs === this.#lengthMs)
      this.#listener?.finished(this.#end());
    else this.#listener?.position(this.#playedMs);
  }

  #end(): number {
    const playedMs = this.#playedMs;
    this.#stop();
    this.#lengthMs = this.#playedMs = 0;
    this.#isComplete = false;
    return playedMs;
  }

  #stop(): void {
    clearInterval(this.#playing);
    this.#playing = undefined;
  }
}

const order = JSON.parse(process.argv[2] ?? "{}") as TalkOrder;
const counts = { visitorTurns: 0, agentTurns: 0, voicesLost: 0 };

const listener: ConversationListener = {
  turn: ({ role }) => void (counts[role === "user" ? "visitorTurns" : "agentTurns"] += 1),
  voiceLost: () => void (counts.voicesLost += 1),
  state() {},
  partial() {},
  takenBack() {},
  action() {},
  language() {},
  visitorSpeaks() {},
  content() {},
  card() {},
  event() {},
  charge: () => () => {},
  usage() {},
  ended() {},
};

const models: ConversationModels = {
  answers: true,
  async reply({ onSentence }) {
    onSentence({ text: "Mastline builds masts at which airships can be moored.", directions: [] });
  },
};

const { createSpeech } = await loadSpeech();
const place = { url: order.speechUrl, key: "key", model: undefined };
const speech = createSpeech({
  hearing: { first: { ...place, provider: "deepgram" }, fallback: undefined },
  voice: { first: { ...place, provider: "cartesia", voice: undefined }, fallback: undefined },
  clock: systemClock,
  log: createLog("silent"),
});

const medias = await Promise.all(
  Array.from({ length: order.sessions }, async () => {
    const media = new QuickMedia(order.speed);
    const conversation = await startConversation({
      agent: AGENT,
      language: "en",
      metadata: {},
      voice: { media, speech },
      listener,
      models,
      searchKnowledge: async () => [],
      clock: systemClock,
    });
    void conversation.begin();
    return media;
  }),
);

const { pcm } = await speak("Where can an airship be moored, and what do you build for it?");

let soundedMs = 0;
/** Until so much has sounded in each session. */
async function sound(untilMs: number): Promise<void> {
  while (soundedMs < untilMs) {
    for (const [index, media] of medias.entries()) {
      // They do not all speak at once.
      const atMs = (soundedMs + (index * ROUND_MS) / medias.length) % ROUND_MS;
      const frame = new Int16Array(FRAME_SAMPLES);
      const at = Math.floor(atMs / FRAME_MS) * FRAME_SAMPLES;
      frame.set(pcm.subarray(at, at + FRAME_SAMPLES));
      media.microphone(frame);
    }
    soundedMs += FRAME_MS;
    // A machine that is busy gets no more at once when it comes round: sound that waits would be counted.
    await delay(FRAME_MS / order.speed);
  }
}

/** What is kept once everything that was said has been heard. */
async function keptBytes(): Promise<number> {
  let kept = Infinity;
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    await delay(LOOK_EVERY_MS);
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    if (heapUsed + arrayBuffers > kept - WORTH_WAITING_BYTES) break;
    kept = heapUsed + arrayBuffers;
  }
  return kept;
}

async function report(minute: number): Promise<void> {
  const keptMb = (await keptBytes()) / 1e6;
  process.send?.({ minute, keptMb, ...counts } satisfies TalkReport);
}

await sound(WARM_UP_MS);
await report(0);
for (let minute = 1; minute <= order.minutes; minute++) {
  await sound(WARM_UP_MS + minute * 60_000);
  await report(minute);
}
process.exit(0);
