import { setTimeout as delay } from "node:timers/promises";
import { ChatModels, systemClock } from "@svc/server/testing";
import type { ReplyRequest } from "@svc/server/testing";
import type { LlamaServer } from "./llama-server.ts";
import { PLACE } from "./place.ts";
import type { Relay } from "./relay.ts";

type Usage = Parameters<ReplyRequest["onUsage"]>[1];

/** A small machine that runs other things, too, is slower than any provider. */
const LIMITS = { firstTokenMs: 30_000, idleMs: 15_000, wholeMs: 45_000 };

const LONG = "Tell me a very long story about every king of France.";
const GIVEN_UP_AFTER_MS = 10_000;

export interface Turn {
  sentences: number;
  /** Pieces in which it came, and how long the last came after the first. */
  events: number;
  spreadMs: number;
  /** What was counted is what the server told. */
  isCounted: boolean;
}

export interface CutTurn {
  /** The server was at it when the turn was cut. */
  wasBusy: boolean;
  stoppedAfterMs: number;
  /** The server could not tell any more what it took. */
  isEstimated: boolean;
}

/** The models that talk with visitors, at a real server. */
export class Talker {
  readonly #models: ChatModels;
  readonly #relay: Relay;
  readonly #llama: LlamaServer;

  constructor(relay: Relay, llama: LlamaServer) {
    const first = { ...PLACE, url: relay.url };
    this.#models = new ChatModels({ first, clock: systemClock, limits: LIMITS });
    this.#relay = relay;
    this.#llama = llama;
  }

  /** Whether it sees that the server is there. */
  async isAnswered(): Promise<boolean> {
    await this.#models.watch();
    this.#models.stopWatching();
    return this.#models.answers;
  }

  async turn(content: string): Promise<Turn> {
    const { sentences, usage } = await this.#reply(content);
    const { atMs, usage: told } = this.#relay.seen();
    const isCounted = usage?.inputTokens === told?.input && usage?.outputTokens === told?.output;
    return {
      sentences: sentences.length,
      events: atMs.length,
      spreadMs: Math.round(atMs.at(-1)! - atMs[0]!),
      isCounted: isCounted && told !== undefined && usage?.estimated === undefined,
    };
  }

  /** Hangs up in the middle of a turn. */
  async cutTurn(): Promise<CutTurn> {
    const cutting = new AbortController();
    const begun = this.#relay.passed(5);
    const reply = this.#reply(LONG, cutting.signal);
    await begun;
    const wasBusy = await this.#llama.isBusy();
    cutting.abort();
    const cutAt = performance.now();
    const { usage } = await reply;
    const elapsedMs = (): number => performance.now() - cutAt;
    while ((await this.#llama.isBusy()) && elapsedMs() < GIVEN_UP_AFTER_MS) await delay(20);
    return {
      wasBusy,
      stoppedAfterMs: Math.round(elapsedMs()),
      isEstimated: usage?.estimated === true,
    };
  }

  /** The control: whether the server is still at it so long after the same words, when nobody hangs up. */
  async isBusyAfter(ms: number): Promise<boolean> {
    const cutting = new AbortController();
    const begun = this.#relay.passed(5);
    const reply = this.#reply(LONG, cutting.signal);
    await begun;
    await delay(ms);
    const isBusy = await this.#llama.isBusy();
    cutting.abort();
    await reply;
    return isBusy;
  }

  async #reply(
    content: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<{ sentences: string[]; usage: Usage | undefined }> {
    const sentences: string[] = [];
    let usage: Usage | undefined;
    await this.#models.reply({
      messages: [
        { role: "system", content: "You are a friendly guide. Use short sentences." },
        { role: "user", content },
      ],
      tools: [],
      toolChoice: "none",
      language: "en",
      signal,
      onSentence: (sentence) => void sentences.push(sentence),
      onToolCall: () => {},
      onUsage: (_, spent) => (usage = spent),
      onTrouble: (_, error) => {
        throw error;
      },
    });
    return { sentences, usage };
  }
}
