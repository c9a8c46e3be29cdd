/** The model as the product is told of it. A token in costs one millionth, a token out two. */
export const PLACE = {
  name: "smollm2",
  key: undefined,
  timeoutMs: 60_000,
  price: { input: 1_000_000, output: 2_000_000 },
} as const;
