import OpenAI from "openai";
import { boundedFetch } from "#platform";
import type { Clock } from "#platform";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { explainModelFailure, ModelRefused } from "./model-errors.ts";
import { usageOf } from "./model-usage.ts";
import type { ModelPrice, ModelUsage } from "./model-usage.ts";
import { probeModel } from "./probe-model.ts";

/** A model behind an OpenAI-compatible address. */
export interface LanguageModel {
  name: string;
  /** Throws `ModelAway` when it cannot be reached, and `ModelRefused` when it will not answer this. */
  ask(request: ModelRequest): Promise<ModelAnswer>;
  /** Whether its provider answers at all, as far as can be told without a question that costs. */
  isThere(): Promise<boolean>;
}

export interface ModelRequest {
  messages: { role: "system" | "user" | "assistant"; content: string }[];
  schema: Record<string, unknown>;
  signal: AbortSignal;
}

export interface ModelAnswer {
  text: string;
  usage: ModelUsage;
}

export interface LanguageModelOptions {
  url: string;
  key: string | undefined;
  name: string;
  timeoutMs: number;
  price: ModelPrice;
  clock: Clock;
}

/** An answer is a few kilobytes. */
const MAX_ANSWER_BYTES = 2_000_000;

export function createLanguageModel(options: LanguageModelOptions): LanguageModel {
  const { name, timeoutMs, price } = options;
  const client = new OpenAI({
    baseURL: options.url,
    // Servers that need none still get a header; the package insists on something.
    apiKey: options.key ?? "none",
    // The queue tries again, with what it knows about the provider's state.
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: boundedFetch(MAX_ANSWER_BYTES),
    logLevel: "off",
  });
  const breaker = new CircuitBreaker(options.clock);

  async function ask({ messages, schema, signal }: ModelRequest): Promise<ModelAnswer> {
    const completion = await client.chat.completions.create(
      {
        model: name,
        messages,
        response_format: {
          type: "json_schema",
          json_schema: { name: "evaluation", strict: true, schema },
        },
      },
      { signal },
    );
    const usage = usageOf(completion.usage, price);
    const [choice] = completion.choices;
    const text = choice?.message.content ?? "";
    if (choice?.message.refusal || choice?.finish_reason === "content_filter" || text === "") {
      throw new ModelRefused("the model refused", usage);
    }
    return { text, usage };
  }

  return {
    name,
    ask: (request) => breaker.guard(() => ask(request).catch(explainModelFailure)),
    isThere: async () => {
      // A provider that is overloaded may still tell which models it has.
      if (breaker.isOpen()) return false;
      const { trouble } = await probeModel(client, name);
      return trouble === undefined;
    },
  };
}
