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
}

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** The usage that the provider reports. */
export function usageOf(
  usage: { prompt_tokens?: number | undefined; completion_tokens?: number | undefined } | undefined,
  price: ModelPrice,
): ModelUsage {
  return priced(whole(usage?.prompt_tokens), whole(usage?.completion_tokens), price);
}

/** For a provider that does not report usage, and for an interrupted answer: a token is about four characters. */
export function estimatedUsage(
  characters: { input: number; output: number },
  price: ModelPrice,
): ModelUsage {
  const tokens = (count: number): number => Math.ceil(count / 4);
  return { ...priced(tokens(characters.input), tokens(characters.output), price), estimated: true };
}

function priced(inputTokens: number, outputTokens: number, price: ModelPrice): ModelUsage {
  const costMicros = Math.ceil((inputTokens * price.input + outputTokens * price.output) / 1e6);
  return { inputTokens, outputTokens, costMicros };
}

/** A provider may report anything, and the columns for tokens are 32-bit integers. */
function whole(tokens: unknown): number {
  return typeof tokens === "number" && tokens > 0 ? Math.min(Math.floor(tokens), 2 ** 31 - 1) : 0;
}
