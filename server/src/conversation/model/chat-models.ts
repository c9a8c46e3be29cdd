import { CircuitBreaker } from "#models";
import type { ModelPrice, ModelProbe, PatienceLimits } from "#models";
import type { Clock, Log } from "#platform";
import type { ConversationModels, ReplyRequest } from "../conversation.ts";
import { ChatModel } from "./chat-model.ts";

export interface ChatModelsOptions {
  first: ModelPlace;
  /** Asked when the first is away, too slow, or has nothing to say. */
  fallback?: ModelPlace | undefined;
  clock: Clock;
  /** Of one that is watched: hears when a model stops answering, and when it answers again. */
  log?: Log | undefined;
  limits?: Partial<PatienceLimits>;
}

export interface ModelPlace {
  url: string;
  key: string | undefined;
  name: string;
  price: ModelPrice;
}

/** Nobody waits longer than this for a first word while another model could be asked. */
const FIRST_TOKEN_MS = 1_500;
const FIRST_TOKEN_OF_LAST_MS = 10_000;
const IDLE_MS = 3_000;
/** Far longer than a turn of 45 words takes: for a model that never ends, or drips. */
const WHOLE_MS = 30_000;

const PROBE_EVERY_MS = 10_000;

/** The models that talk: the first, or the fallback for a reply that the first has not begun. */
export class ChatModels implements ConversationModels {
  readonly #models: WatchedModel[];
  readonly #log: Log | undefined;
  #watching: NodeJS.Timeout | undefined;

  constructor({ first, fallback, clock, log, limits }: ChatModelsOptions) {
    this.#log = log;
    const places = fallback === undefined ? [first] : [first, fallback];
    this.#models = places.map((place, index) => {
      const isLast = index === places.length - 1;
      const firstTokenMs = isLast ? FIRST_TOKEN_OF_LAST_MS : FIRST_TOKEN_MS;
      const patience = { firstTokenMs, idleMs: IDLE_MS, wholeMs: WHOLE_MS, ...limits };
      const model = new ChatModel({ ...place, limits: patience });
      return { model, breaker: new CircuitBreaker(clock), isThere: true, trouble: undefined };
    });
  }

  get answers(): boolean {
    return this.#models.some(({ breaker, isThere }) => isThere && !breaker.isOpen());
  }

  /** Looks whether the models are there, now and every ten seconds, so that `answers` is true of a provider that nobody has asked yet. */
  async watch(): Promise<void> {
    this.#watching ??= setInterval(() => void this.#probe(), PROBE_EVERY_MS).unref();
    await this.#probe();
  }

  /** The first, and then the fallback where there is one. */
  check(): Promise<ModelProbe[]> {
    return Promise.all(this.#models.map(({ model }) => model.probe()));
  }

  stopWatching(): void {
    clearInterval(this.#watching);
    this.#watching = undefined;
  }

  async reply(request: ReplyRequest): Promise<void> {
    let trouble: unknown;
    for (const asked of this.#models) {
      let hasBegun = false;
      const begun = <Args extends unknown[]>(hand: (...args: Args) => void) => {
        return (...args: Args): void => {
          hasBegun = true;
          hand(...args);
        };
      };
      try {
        const onSentence = begun(request.onSentence);
        const onToolCall = begun(request.onToolCall);
        await asked.breaker.guard(() => asked.model.reply({ ...request, onSentence, onToolCall }));
        asked.isThere = true;
        return;
      } catch (error) {
        if (request.signal.aborted) return;
        request.onTrouble(asked.model.name, error);
        // Another model would begin anew what the visitor has heard half of.
        if (hasBegun) return;
        trouble = error;
      }
    }
    throw trouble;
  }

  async #probe(): Promise<void> {
    await Promise.all(this.#models.map((asked) => this.#probeOne(asked)));
  }

  async #probeOne(asked: WatchedModel): Promise<void> {
    const { name: model, trouble } = await asked.model.probe();
    if (trouble === undefined && asked.trouble !== undefined)
      this.#log?.info({ model }, "a model is there again");
    if (trouble !== undefined && asked.trouble === undefined)
      this.#log?.warn({ model, trouble }, "a model is away");
    asked.trouble = trouble;
    asked.isThere = trouble === undefined;
  }
}

interface WatchedModel {
  model: ChatModel;
  breaker: CircuitBreaker;
  isThere: boolean;
  /** As the last probe found it: an answer to a visitor in between does not silence or repeat what is logged. */
  trouble: string | undefined;
}
