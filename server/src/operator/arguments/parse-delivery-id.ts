import { parseNumber } from "./parse-number.ts";

/** A delivery's number that was typed. */
export function parseDeliveryId(text: string): string {
  const range = { least: 1, most: Number.MAX_SAFE_INTEGER };
  return String(parseNumber(text, "delivery number", range)!);
}
