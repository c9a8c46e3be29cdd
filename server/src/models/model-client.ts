import { setTimeout as delay } from "node:timers/promises";
import OpenAI from "openai";
import { Stream } from "openai/streaming";
import { boundedFetch, inSpan } from "#platform";
import type { Clock } from "#platform";
import { jsonIn, toWire, withSchema } from "./chat-messages.ts";
import type { ModelMessage, PlainMessage, ToolOffer } from "./chat-messages.ts";
import { AccountBreakers } from "./circuit-breaker.ts";
import { FairSlots } from "./fair-slots.ts";
import type { Account } from "./fair-slots.ts";
import {
  explainModelFailure,
  isModelFailure,
  ModelAway,
  ModelBusy,
  ModelRefused,
} from "./model-errors.ts";
import { presetOf } from "./model-presets.ts";
import type { ModelPreset } from "./model-presets.ts";
import type { ModelPlace } from "./model-settings.ts";
import { BYTES_PER_TOKEN, estimatedUsage, NO_USAGE, usageOf } from "./model-usage.ts";
import type { Charge, ModelUsage } from "./model-usage.ts";
import { probeModel } from "./probe-model.ts";
import type { ModelProbe } from "./probe-model.ts";
import { readChatChunk, StreamDeadline, StreamedAnswer } from "./streamed-answer.ts";
import type { ChatChunk, StreamLimits } from "./streamed-answer.ts";

/** A model that is asked for one JSON object at a time. */
export interface LanguageModel {
  name: string;
  /** Throws `ModelAway` when it cannot be reached, and `ModelRefused` when it will not answer this. */
  ask(request: ModelRequest): Promise<ModelAnswer>;
  /** Returns whether the model's provider answers, as far as a free request can tell. */
  isThere(): Promise<boolean>;
}

export interface ModelRequest {
  /** The schema's name, which a provider sees; "evaluation" unless told. */
  name?: string;
  messages: PlainMessage[];
  schema: Record<string, unknown>;
  signal: AbortSignal;
  account?: Account;
  /** Absent where nobody counts the cost. */
  charge?: Charge;
}

/** Asks for an answer in words, in one piece. */
export interface CompletionRequest {
  messages: ModelMessage[];
  /** Sent where the preset knows the name of this field. */
  maxTokens: number;
  signal: AbortSignal;
  account?: Account;
  charge?: Charge;
}

export interface ModelAnswer {
  text: string;
  usage: ModelUsage;
}

/** Asks for an answer that is handed over while it is still being written. */
export interface StreamRequest {
  messages: ModelMessage[];
  maxTokens: number;
  tools: ToolOffer[];
  toolChoice: "auto" | "none";
  signal: AbortSignal;
  account?: Account;
  limits: StreamLimits;
  onText(text: string): void;
  onFirstToken?(): void;
  charge?: Charge;
}

export interface LanguageModelOptions extends ModelPlace {
  clock: Clock;
  /** Another model is asked when this one fails. It is asked at once when this one is busy. */
  hasFallback?: boolean | undefined;
}

/** Requests at once, unless the operator says otherwise. */
const AT_ONCE = 128;
/** A job that waited longer for a busy provider would hold a slot that others need. */
const MOST_WAIT_MS = 2_000;
/** Requests that wait for the same moment are spread over the time after it, or the provider would refuse them again. */
const SPREAD = 0.25;

/** An evaluation is a few kilobytes, a turn of a conversation a few hundred characters. */
const MAX_ANSWER_BYTES = 2_000_000;
/** What an answer without a limit is expected to take at most: a long evaluation, or thoughts and a few sentences. */
const ASSUMED_TOKENS = 4_000;

/** One model behind an OpenAI-compatible address, asked for JSON in one piece or for a streamed chat. */
export class ModelClient implements LanguageModel {
  readonly name: string;
  readonly #options: LanguageModelOptions;
  readonly #client: OpenAI;
  readonly #breakers: AccountBreakers;
  readonly #slots: FairSlots;
  readonly #preset: ModelPreset;

  constructor(options: LanguageModelOptions) {
    this.name = options.name;
    this.#options = options;
    this.#preset = presetOf(options.preset);
    this.#breakers = new AccountBreakers(options.clock);
    this.#slots = new FairSlots(options.atOnce ?? AT_ONCE, options.clock);
    this.#client = openAiAt(options, MAX_ANSWER_BYTES);
  }

  /** True while the provider seems to be away for every account. */
  get isCircuitOpen(): boolean {
    return this.#breakers.isOpen();
  }

  /** True for a model that thinks before its first word. */
  get thinks(): boolean {
    return this.#preset.thinks;
  }

  async ask(request: ModelRequest): Promise<ModelAnswer> {
    const { name = "evaluation", messages, schema } = request;
    const json_schema = { name, strict: true, schema };
    const asked = this.#preset.takesSchema
      ? { messages, response_format: { type: "json_schema" as const, json_schema } }
      : { messages: withSchema(messages, schema) };
    const { completion, usage } = await this.#answer(request, asked, ASSUMED_TOKENS);
    const [choice] = completion.choices;
    const text = choice?.message.content ?? "";
    if (choice?.message.refusal || choice?.finish_reason === "content_filter" || text === "") {
      throw new ModelRefused("the model refused");
    }
    return { text: jsonIn(text), usage };
  }

  /** Returns the whole text of an answer. Throws as `ask` does. */
  async complete(request: CompletionRequest): Promise<ModelAnswer> {
    const { messages, maxTokens } = request;
    const asked = { messages: this.#told(messages), ...this.#limit(maxTokens) };
    const { completion, usage } = await this.#answer(request, asked, maxTokens);
    return { text: completion.choices[0]?.message.content ?? "", usage };
  }

  /** Returns an answer in one piece. */
  async #answer(
    { signal, account, charge }: Pick<ModelRequest, "signal" | "account" | "charge">,
    asked: Pick<OpenAI.ChatCompletionCreateParamsNonStreaming, "messages">,
    maxTokens: number,
  ): Promise<{ completion: OpenAI.ChatCompletion; usage: ModelUsage }> {
    const { timeoutMs, price } = this.#options;
    const sent = { signal, account, timeoutMs, charge, inputBytes: bytesOf(asked), maxTokens };
    return this.#request(sent, async (completions, options, bill) => {
      const completion = await completions
        .create(this.#body(asked), options)
        .catch(explainModelFailure);
      const output = bytesOf(completion.choices[0]?.message.content ?? "");
      bill.usage =
        completion.usage == null
          ? estimatedUsage({ input: sent.inputBytes, output }, price)
          : usageOf(completion.usage, price);
      return { completion, usage: bill.usage };
    });
  }

  /**
   * Throws `ModelAway` when the model cannot be reached, stops sending or breaks off. The caller
   * keeps the text that was handed over before that.
   */
  async stream(request: StreamRequest): Promise<StreamedAnswer> {
    const { limits, signal, account, charge, maxTokens } = request;
    const asked = this.#streamed(request);
    const deadline = new StreamDeadline(limits, signal);
    const answer = new StreamedAnswer();
    const inputBytes = bytesOf(asked.messages) + (asked.tools ? bytesOf(asked.tools) : 0);
    const sending = {
      signal: deadline.signal,
      account,
      timeoutMs: limits.wholeMs,
      // The rest is left for the answer.
      waitMs: limits.firstTokenMs / 2,
      isUntouched: () => answer.tokens === 0,
      inputBytes,
    };
    try {
      await this.#request({ ...sending, charge, maxTokens }, async (completions, options, bill) => {
        const send = (): Promise<Response> =>
          completions.create(this.#body(asked), options).asResponse();
        for await (const chunk of chunksOf(send, deadline, this.#client)) {
          const isToken = answer.take(chunk);
          bill.usage = this.#usageOf(answer, inputBytes);
          if (chunk.text !== "") request.onText(chunk.text);
          if (!isToken) continue;
          deadline.word();
          if (answer.tokens === 1) request.onFirstToken?.();
        }
        if (signal.aborted) throw new OpenAI.APIUserAbortError();
        if (answer.finishReason === undefined)
          throw new ModelAway(deadline.hasPassed ? "fell silent" : "broke off");
      });
    } finally {
      deadline.end();
    }
    return answer;
  }

  /** Checks whether the provider answers and lists the model. The circuit breaker does not stop this request. */
  probe(): Promise<ModelProbe> {
    return probeModel(this.#client, this.name);
  }

  async isThere(): Promise<boolean> {
    // An overloaded provider may still list its models.
    if (this.isCircuitOpen) return false;
    const { trouble } = await this.probe();
    return trouble === undefined;
  }

  /** The operator's fields come last. */
  #body<Fields extends object>(fields: Fields): Fields & { model: string } {
    const more = { ...this.#preset.body, ...this.#options.body };
    const given = Object.entries(more).map(([name, value]) => [name, value ?? undefined]);
    return { model: this.name, ...fields, ...Object.fromEntries(given) };
  }

  #told(messages: ModelMessage[]) {
    return messages.map((message) => toWire(message, this.#preset.takesExtraContent));
  }

  #limit(maxTokens: number): { max_tokens?: number; max_completion_tokens?: number } {
    const { outputLimit } = this.#preset;
    return outputLimit === undefined ? {} : { [outputLimit]: maxTokens };
  }

  #streamed({ messages, maxTokens, tools, toolChoice }: StreamRequest) {
    return {
      messages: this.#told(messages),
      stream: true as const,
      ...(this.#preset.takesStreamOptions && { stream_options: { include_usage: true } }),
      ...this.#limit(maxTokens),
      ...(tools.length > 0 && {
        tools: tools.map((tool) => ({ type: "function" as const, function: { ...tool } })),
        tool_choice: toolChoice,
      }),
    };
  }

  /** Every request that costs passes here. Whatever applies to all requests to a model belongs in this function. */
  async #request<Answer>(
    sent: Sent,
    send: (
      completions: OpenAI["chat"]["completions"],
      options: { signal: AbortSignal; timeout: number },
      bill: { usage?: ModelUsage },
    ) => Promise<Answer>,
  ): Promise<Answer> {
    const { price } = this.#options;
    const { signal, timeoutMs, charge, inputBytes: input, maxTokens } = sent;
    const options = { signal, timeout: timeoutMs };
    const attributes = { "gen_ai.operation.name": "chat", "gen_ai.request.model": this.name };
    // A limit is not sent to a model that thinks.
    const mostTokens = this.thinks ? Math.max(maxTokens, ASSUMED_TOKENS) : maxTokens;
    const output = mostTokens * BYTES_PER_TOKEN;
    const settle = charge?.(this.name, estimatedUsage({ input, output }, price));
    const bill: { usage?: ModelUsage } = {};
    // Until it is sent.
    let isUnbilled = true;
    try {
      return await inSpan("svc.model", { attributes }, () =>
        this.#patiently(sent, async () => {
          isUnbilled = false;
          try {
            return await send(this.#client.chat.completions, options, bill);
          } catch (error) {
            isUnbilled = isModelFailure(error) && error.isUnbilled;
            throw error;
          }
        }),
      );
    } finally {
      // A request that was cut before its first byte has been read by the model, which costs.
      const otherwise = isUnbilled ? NO_USAGE : estimatedUsage({ input, output: 0 }, price);
      settle?.(bill.usage ?? otherwise);
    }
  }

  /** Asks a busy provider again after its pause, where that leaves time for the answer and no fallback can be asked. */
  async #patiently<Answer>(sent: Sent, send: () => Promise<Answer>): Promise<Answer> {
    const { clock, hasFallback, isShared = true } = this.#options;
    const { signal, timeoutMs, waitMs, isUntouched = () => true } = sent;
    // All accounts count as one where no share is set.
    const account = isShared ? sent.account : undefined;
    const mostMs = waitMs ?? Math.min(timeoutMs, MOST_WAIT_MS);
    const untilMs = clock.monotonicMs() + (hasFallback ? 0 : mostMs);
    for (;;) {
      try {
        return await this.#slots.run(account, { signal, withinMs: waitMs ?? timeoutMs }, () =>
          this.#breakers.guard(account, () => this.#watched(send)),
        );
      } catch (error) {
        if (!(error instanceof ModelBusy) || !isUntouched()) throw error;
        const pauseMs = this.#breakers.of(account).busyForMs * (1 + SPREAD * Math.random());
        if (clock.monotonicMs() + pauseMs > untilMs) throw error;
        await delay(pauseMs, undefined, { signal }).catch(() => {
          throw new OpenAI.APIUserAbortError();
        });
      }
    }
  }

  async #watched<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await send();
      this.#slots.raise();
      return answer;
    } catch (error) {
      if (error instanceof ModelBusy) this.#slots.lower();
      throw error;
    }
  }

  #usageOf({ usage, characters }: StreamedAnswer, input: number): ModelUsage {
    const { price } = this.#options;
    if (usage !== undefined) return usageOf(usage, price);
    return estimatedUsage({ input, output: characters }, price);
  }
}

/** A request, and what it may cost. */
interface Sent {
  signal: AbortSignal;
  account: Account;
  timeoutMs: number;
  /** How long it may wait for a slot and for a busy provider; unless told, its whole time for a slot and two seconds for a provider. */
  waitMs?: number;
  /** False once a part of the answer was handed over: asked again, the model would begin anew. */
  isUntouched?(): boolean;
  charge: Charge | undefined;
  inputBytes: number;
  maxTokens: number;
}

function bytesOf(content: unknown): number {
  return Buffer.byteLength(typeof content === "string" ? content : JSON.stringify(content));
}

/** The model as it answers one account. */
export function forAccount(model: LanguageModel, account: Account): LanguageModel {
  return {
    name: model.name,
    ask: (request) => model.ask({ ...request, account }),
    isThere: () => model.isThere(),
  };
}

export function createLanguageModel(options: LanguageModelOptions): LanguageModel {
  return new ModelClient(options);
}

/** Ends without an error when the deadline has passed: the caller knows why. Errors of whoever reads the chunks are not caught here. */
async function* chunksOf(
  send: () => Promise<Response>,
  deadline: StreamDeadline,
  client: OpenAI,
): AsyncGenerator<ChatChunk> {
  try {
    const response = await send();
    const watched = new Response(response.body && watchLines(response.body, deadline), response);
    // The deadline ends a request whose answer is not read to its end. Without the client, which logs nothing, the
    // package would print what it cannot read: a visitor's words.
    const chunks = Stream.fromSSEResponse<unknown>(watched, new AbortController(), client);
    for await (const chunk of chunks) yield readChatChunk(chunk);
  } catch (error) {
    if (deadline.hasPassed) return;
    explainModelFailure(error);
  }
}

/** Comments never become chunks: the package leaves them out. Half a line is no sign, or an endless one would be. */
function watchLines(body: ReadableStream<Uint8Array>, deadline: StreamDeadline) {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        if (bytes.includes(LINE_FEED)) deadline.sign();
        controller.enqueue(bytes);
      },
    }),
  );
}

const LINE_FEED = 0x0a;

/** @param maxBytes of one answer; a provider that sends more is cut off */
export function openAiAt(
  { url, key }: { url: string; key: string | undefined },
  maxBytes: number,
): OpenAI {
  return new OpenAI({
    baseURL: url,
    // The package refuses to start without a key; servers that need none ignore the header.
    apiKey: key ?? "none",
    // The callers retry: the queue after a delay, a conversation with the fallback at once, or it goes on without.
    maxRetries: 0,
    fetch: boundedFetch(maxBytes),
    logLevel: "off",
  });
}
