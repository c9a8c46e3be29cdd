import OpenAI from "openai";
import { boundedFetch } from "#platform";
import type { Clock } from "#platform";
import { Breaker } from "./breaker.ts";
import { ModelAway, ModelRefused } from "./model-errors.ts";
import type { ModelUsage } from "./model-errors.ts";

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
  /** What a million tokens cost, in millionths of the currency. */
  price: { input: number; output: number };
  clock: Clock;
}

/** An answer is a few kilobytes. */
const MAX_ANSWER_BYTES = 2_000_000;

const PROBE_TIMEOUT_MS = 5_000;

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
  const breaker = new Breaker(options.clock);

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
    ask: (request) => breaker.guard(() => ask(request).catch(explain)),
    isThere: async () => {
      // A provider that is overloaded may still tell which models it has.
      if (breaker.isOpen()) return false;
      return client.models.list({ timeout: PROBE_TIMEOUT_MS }).then(
        () => true,
        () => false,
      );
    },
  };
}

function usageOf(
  usage: { prompt_tokens?: number; completion_tokens?: number } | undefined,
  price: { input: number; output: number },
): ModelUsage {
  const inputTokens = whole(usage?.prompt_tokens);
  const outputTokens = whole(usage?.completion_tokens);
  const costMicros = Math.ceil((inputTokens * price.input + outputTokens * price.output) / 1e6);
  return { inputTokens, outputTokens, costMicros };
}

/** A provider may say anything here, and the columns are whole numbers. */
function whole(tokens: unknown): number {
  return typeof tokens === "number" && tokens > 0 ? Math.min(Math.floor(tokens), 2 ** 31 - 1) : 0;
}

/** 401, 403 and 404 are the operator's to mend, and then the same question is answered. */
const REFUSING = new Set([400, 413, 422]);

function explain(error: unknown): never {
  if (error instanceof ModelRefused || error instanceof OpenAI.APIUserAbortError) throw error;
  if (error instanceof OpenAI.APIError && typeof error.status === "number") {
    const answered = `answered ${error.status}${reasonOf(error.code)}`;
    if (REFUSING.has(error.status)) throw new ModelRefused(answered);
    throw new ModelAway(answered, { retryAfterMs: retryAfterMs(error.headers) });
  }
  // No connection, a time-out, a broken or endless answer.
  throw new ModelAway("not to be reached", { cause: error });
}

/** Of the provider's own words only a code such as `invalid_api_key`: the others may repeat the key, or the conversation. */
function reasonOf(code: unknown): string {
  return typeof code === "string" && /^[a-z_]{1,40}$/.test(code) ? ` (${code})` : "";
}

function retryAfterMs(headers: Headers | undefined): number | undefined {
  const secs = Number(headers?.get("retry-after") ?? Number.NaN);
  return Number.isFinite(secs) && secs >= 0 ? Math.min(secs, 3_600) * 1_000 : undefined;
}
