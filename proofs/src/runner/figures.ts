/** The value that so large a share of them does not exceed; NaN where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** "12,345" */
export function count(number: number): string {
  return number.toLocaleString("en");
}

/** With one decimal. */
export function inMb(bytes: number): number {
  return Math.round((bytes / 2 ** 20) * 10) / 10;
}
