/** The tokens and cost of a request to a model. */
export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  /** In millionths of the currency that the prices are in. */
  costMicros: number;
  /** True when we estimated it from the length of the texts, because the provider did not report it. */
  estimated?: true;
}

/** The price of a million tokens, in millionths of the currency. */
export interface ModelPrice {
  input: number;
  output: number;
  /** For input that the provider had in its cache; absent: that of other input. */
  cached?: number;
}

/**
 * Counts a request when it is sent, with the most that it should cost. Throws `BudgetSpent` where nothing more may be
 * sent. What it returns is called once, with what the request did cost: one that is cut before its first word has been
 * paid for, too.
 */
export type Charge = (model: string, estimate: ModelUsage) => (usage: ModelUsage) => void;

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** The usage of several requests. Each counts as estimated until it has ended. */
export class UsageSum {
  readonly #open = new Set<ModelUsage>();
  #ended: ModelUsage = NO_USAGE;

  /** Takes a request that is being sent. */
  readonly charge: Charge = (_model, estimate) => {
    const request = { ...estimate };
    this.#open.add(request);
    return (usage) => {
      this.#open.delete(request);
      this.#ended = sum(this.#ended, usage);
    };
  };

  get all(): ModelUsage {
    return [...this.#open].reduce(sum, this.#ended);
  }
}

function sum(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    costMicros: a.costMicros + b.costMicros,
  };
}

/** As a provider reports it. The names of what came from its cache differ. */
export interface ReportedUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  /** OpenAI, Gemini, vLLM, llama.cpp. */
  prompt_tokens_details?: { cached_tokens?: unknown } | null | undefined;
  /** DeepSeek. */
  prompt_cache_hit_tokens?: unknown;
  /** Gateways to Claude. */
  cache_read_input_tokens?: unknown;
}

/** The usage that the provider reports. */
export function usageOf(usage: ReportedUsage | null | undefined, price: ModelPrice): ModelUsage {
  const { prompt_tokens_details: details, prompt_cache_hit_tokens: hit } = usage ?? {};
  const cached = details?.cached_tokens ?? hit ?? usage?.cache_read_input_tokens;
  const input = { tokens: whole(usage?.prompt_tokens), cached: whole(cached) };
  return priced(input, whole(usage?.completion_tokens), price);
}

/**
 * For a request that is being sent, an interrupted answer, and a provider that does not report usage. A token is about
 * four bytes: four letters of English, and a little more than one sign of Chinese.
 */
export function estimatedUsage(
  bytes: { input: number; output: number },
  price: ModelPrice,
): ModelUsage {
  const tokens = (count: number): number => Math.ceil(count / BYTES_PER_TOKEN);
  const input = { tokens: tokens(bytes.input), cached: 0 };
  return { ...priced(input, tokens(bytes.output), price), estimated: true };
}

export const BYTES_PER_TOKEN = 4;

function priced(
  input: { tokens: number; cached: number },
  outputTokens: number,
  price: ModelPrice,
): ModelUsage {
  // They are part of the input. More than all of it would make a request cost less than nothing.
  const cached = Math.min(input.cached, input.tokens);
  const costs =
    (input.tokens - cached) * price.input +
    cached * (price.cached ?? price.input) +
    outputTokens * price.output;
  return { inputTokens: input.tokens, outputTokens, costMicros: Math.ceil(costs / 1e6) };
}

/** A provider may report anything, and the columns for tokens are 32-bit integers. */
function whole(tokens: unknown): number {
  return typeof tokens === "number" && tokens > 0 ? Math.min(Math.floor(tokens), 2 ** 31 - 1) : 0;
}
