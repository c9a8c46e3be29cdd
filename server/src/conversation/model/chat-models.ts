import { firstThenFallback, inOrder, ModelClient, presetOf } from "#models";
import type { FirstAndFallback, ModelPlace, ModelProbe, StreamLimits } from "#models";
import type { Clock, Log } from "#platform";
import type { ConversationModels, ReplyRequest } from "../conversation.ts";
import type { AskVerifier } from "../guard/verifier.ts";
import { ChatModel } from "./chat-model.ts";

export interface ChatModelsOptions {
  first: ModelPlace;
  /** Asked when the first is away, too slow, or has nothing to say. */
  fallback?: ModelPlace | undefined;
  /** Checks the sentences of both. */
  verifier?: ModelPlace | undefined;
  clock: Clock;
  /** Logs when a watched model stops answering, and when it answers again. */
  log?: Log | undefined;
  limits?: Partial<StreamLimits>;
}

/** The last limit is far longer than a turn takes: without it, a model that never ends would hold the turn. */
const LIMITS: StreamLimits = { firstTokenMs: 10_000, idleMs: 3_000, wholeMs: 30_000 };
/** The time that the first model has for its first word before the next one is asked. */
const HURRIED: Partial<StreamLimits> = { firstTokenMs: 1_500, isFirstTokenFirm: true };
/** For a model that thinks first: some send nothing at all meanwhile. */
const THINKING: StreamLimits = { firstTokenMs: 30_000, idleMs: 10_000, wholeMs: 60_000 };
/** A visitor who hears nothing for longer takes the line for dead. */
const SIGN_OF_LIFE_MS = 4_000;
/** A verifier answers in one word. Some tokenizers need several for it. */
const VERIFIER_TOKENS = 16;

const PROBE_EVERY_MS = 10_000;

/** The models that talk: the first, or the fallback for a reply that the first has not begun. */
export class ChatModels implements ConversationModels {
  readonly #models: FirstAndFallback<WatchedModel>;
  readonly #log: Log | undefined;
  readonly verify: AskVerifier | undefined;
  #watching: NodeJS.Timeout | undefined;

  constructor({ first, fallback, verifier, clock, log, limits }: ChatModelsOptions) {
    this.#log = log;
    this.verify = verifier && verifying(new ModelClient({ ...verifier, clock }));
    const watched = (place: ModelPlace, hurry?: Partial<StreamLimits>): WatchedModel => ({
      model: new ChatModel({
        ...place,
        clock,
        hasFallback: hurry !== undefined,
        limits: {
          ...(presetOf(place.preset).thinks ? THINKING : { ...LIMITS, ...hurry }),
          ...place.patience,
          ...limits,
        },
      }),
      isThere: true,
      trouble: undefined,
    });
    this.#models = {
      first: watched(first, fallback && HURRIED),
      fallback: fallback && watched(fallback),
    };
  }

  get name(): string {
    return this.#models.first.model.name;
  }

  get signOfLifeMs(): number | undefined {
    return this.#models.first.model.thinks ? SIGN_OF_LIFE_MS : undefined;
  }

  get answers(): boolean {
    return inOrder(this.#models).some(({ model, isThere }) => isThere && !model.isCircuitOpen);
  }

  /** Probes the models now and every ten seconds: otherwise `answers` would guess about a provider that nobody has asked yet. */
  async watch(): Promise<void> {
    this.#watching ??= setInterval(() => void this.#probe(), PROBE_EVERY_MS).unref();
    await this.#probe();
  }

  /** The first, and then the fallback where there is one. */
  check(): Promise<ModelProbe[]> {
    return Promise.all(inOrder(this.#models).map(({ model }) => model.probe()));
  }

  stopWatching(): void {
    clearInterval(this.#watching);
    this.#watching = undefined;
  }

  async reply(request: ReplyRequest): Promise<void> {
    await firstThenFallback(this.#models, (asked) => this.#replyFrom(asked, request));
  }

  /** Throws only where the fallback may take over. */
  async #replyFrom(asked: WatchedModel, request: ReplyRequest): Promise<void> {
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
      await asked.model.reply({ ...request, onSentence, onToolCall });
      asked.isThere = true;
    } catch (error) {
      if (request.signal.aborted) return;
      request.onTrouble(asked.model.name, error);
      // The fallback would start over, and the visitor has heard half of the reply already.
      if (!hasBegun) throw error;
    }
  }

  async #probe(): Promise<void> {
    await Promise.all(inOrder(this.#models).map((asked) => this.#probeOne(asked)));
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

function verifying(model: ModelClient): AskVerifier {
  return async (request) => {
    const { text } = await model.complete({ ...request, maxTokens: VERIFIER_TOKENS });
    return text;
  };
}

interface WatchedModel {
  model: ChatModel;
  isThere: boolean;
  /** The result of the last probe. A reply in between does not change it, or each change would be logged twice. */
  trouble: string | undefined;
}
