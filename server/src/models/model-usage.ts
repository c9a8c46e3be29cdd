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

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };

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
export function usageOf(usage: ReportedUsage | undefined, price: ModelPrice): ModelUsage {
  const { prompt_tokens_details: details, prompt_cache_hit_tokens: hit } = usage ?? {};
  const cached = details?.cached_tokens ?? hit ?? usage?.cache_read_input_tokens;
  const input = { tokens: whole(usage?.prompt_tokens), cached: whole(cached) };
  return priced(input, whole(usage?.completion_tokens), price);
}

/** For a provider that does not report usage, and for an interrupted answer: a token is about four characters. */
export function estimatedUsage(
  characters: { input: number; output: number },
  price: ModelPrice,
): ModelUsage {
  const tokens = (count: number): number => Math.ceil(count / 4);
  const input = { tokens: tokens(characters.input), cached: 0 };
  return { ...priced(input, tokens(characters.output), price), estimated: true };
}

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
