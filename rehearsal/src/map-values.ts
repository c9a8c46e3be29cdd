/** The same keys with other values. */
export function mapValues<T, U>(
  map: Record<string, T>,
  change: (value: T) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
