import OpenAI from "openai";
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { boundedFetch } from "#platform";
import {
  estimatedUsage,
  explainModelFailure,
  ModelAway,
  ModelRefused,
  probeModel,
  usageOf,
  readChatChunk,
  Patience,
  ToolCallPieces,
} from "#models";
import type {
  ModelPrice,
  ModelProbe,
  ModelUsage,
  ModelMessage,
  ChatChunk,
  PatienceLimits,
} from "#models";
import type { ReplyRequest } from "../conversation.ts";
import { SentenceCutter } from "#language";

export interface ChatModelOptions {
  url: string;
  key: string | undefined;
  name: string;
  price: ModelPrice;
  limits: PatienceLimits;
}

/** A turn is a few hundred characters; a thousand tool calls are a hundred kilobytes. */
const MAX_ANSWER_BYTES = 1_000_000;

/** One model behind an OpenAI-compatible address, asked for one turn of a conversation at a time. */
export class ChatModel {
  readonly name: string;
  readonly #options: ChatModelOptions;
  readonly #client: OpenAI;

  constructor(options: ChatModelOptions) {
    this.name = options.name;
    this.#options = options;
    this.#client = new OpenAI({
      baseURL: options.url,
      // Servers that need none still get a header; the package insists on something.
      apiKey: options.key ?? "none",
      // A visitor is waiting: the next model is asked instead.
      maxRetries: 0,
      timeout: options.limits.wholeMs,
      fetch: boundedFetch(MAX_ANSWER_BYTES),
      logLevel: "off",
    });
  }

  /**
   * Throws `ModelAway` when it cannot be reached or falls silent, and `ModelRefused` when it has
   * nothing to say. What was handed over before that stays.
   */
  async reply(request: ReplyRequest): Promise<void> {
    const patience = new Patience(this.#options.limits, request.signal);
    const answer = new Answer(request);
    let hasBegun = false;
    try {
      for await (const chunk of this.#chunks(request, patience)) {
        if (!answer.take(chunk)) continue;
        patience.renew();
        if (!hasBegun) request.onFirstToken?.();
        hasBegun = true;
      }
    } finally {
      patience.end();
      this.#tellUsage(request, answer);
    }
    if (request.signal.aborted) throw new OpenAI.APIUserAbortError();
    if (!answer.isFinished) throw new ModelAway(patience.isLost ? "fell silent" : "broke off");
    answer.end();
  }

  /** Whether its provider answers at all, and knows it. */
  probe(): Promise<ModelProbe> {
    return probeModel(this.#client, this.name);
  }

  async *#chunks(request: ReplyRequest, patience: Patience): AsyncGenerator<ChatChunk> {
    try {
      const { signal } = patience;
      const stream = await this.#client.chat.completions.create(this.#body(request), { signal });
      for await (const chunk of stream) yield readChatChunk(chunk);
    } catch (error) {
      if (patience.isLost) return;
      explainModelFailure(error);
    }
  }

  #body({ messages, tools, toolChoice }: ReplyRequest): ChatCompletionCreateParamsStreaming {
    return {
      model: this.name,
      messages: messages.map(onTheWire),
      stream: true,
      stream_options: { include_usage: true },
      ...(tools.length > 0 && {
        tools: tools.map((tool) => ({ type: "function" as const, function: { ...tool } })),
        tool_choice: toolChoice,
      }),
    };
  }

  /** Nothing was charged before the first byte, as far as we can tell. */
  #tellUsage(request: ReplyRequest, { usage, hasBegun, characters }: Answer): void {
    if (!hasBegun) return;
    const { price } = this.#options;
    const input = JSON.stringify(request.messages).length;
    const spent: ModelUsage =
      usage === undefined
        ? estimatedUsage({ input, output: characters }, price)
        : usageOf(usage, price);
    request.onUsage(this.name, spent);
  }
}

/** What has come of an answer. Hands sentences over as they are complete, tool calls at the end. */
class Answer {
  readonly #request: ReplyRequest;
  readonly #sentences: SentenceCutter;
  readonly #toolCalls = new ToolCallPieces();
  usage: ChatChunk["usage"];
  hasBegun = false;
  characters = 0;
  #hasSpoken = false;
  #finishReason: string | undefined;
  #isRefusal = false;

  constructor(request: ReplyRequest) {
    this.#request = request;
    this.#sentences = new SentenceCutter(request.language);
  }

  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  /** True when it was a token, not one of the empty pieces around them. */
  take({ text, isRefusal, toolCalls, finishReason, usage }: ChatChunk): boolean {
    this.hasBegun = true;
    this.usage = usage ?? this.usage;
    this.#finishReason = finishReason ?? this.#finishReason;
    this.#isRefusal ||= isRefusal;
    this.characters += text.length;
    this.#say(this.#sentences.push(text));
    for (const piece of toolCalls) {
      this.characters += piece.args.length;
      this.#toolCalls.add(piece);
    }
    return text !== "" || isRefusal || toolCalls.length > 0;
  }

  end(): void {
    const isCut = this.#finishReason === "length";
    const isWhole = !isCut && this.#finishReason !== "content_filter";
    // Half a sentence is better not said, unless it is all there is.
    if (isWhole || (isCut && !this.#hasSpoken)) this.#say(this.#sentences.end());
    const calls = isWhole ? this.#toolCalls.whole() : [];
    for (const call of calls) this.#request.onToolCall(call);
    if (this.#isRefusal || (!this.#hasSpoken && calls.length === 0))
      throw new ModelRefused("had nothing to say");
  }

  #say(sentences: string[]): void {
    for (const sentence of sentences) {
      this.#hasSpoken = true;
      this.#request.onSentence(sentence);
    }
  }
}

function onTheWire(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return message;
  const { content, toolCalls } = message;
  return {
    role: "assistant",
    ...(content !== undefined && { content }),
    ...(toolCalls !== undefined && {
      tool_calls: toolCalls.map(({ id, name, args }) => ({
        id,
        type: "function" as const,
        function: { name, arguments: args },
      })),
    }),
  };
}
