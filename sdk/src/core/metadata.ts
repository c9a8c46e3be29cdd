import type { MetadataLimits } from "@svc/contract/types";
import { hint } from "./events.ts";

/**
 * Encodes what the site passed as it is sent: strings unchanged, other values JSON-encoded once,
 * `undefined` and functions left out. Returns the name of a key instead, if JSON cannot hold its value.
 * Call it before the first `await`, so that later changes of the page's objects have no effect.
 */
export function encodeMetadata(
  ...sources: readonly (object | undefined)[]
): Record<string, string> | string {
  // A null prototype: `__proto__` is a key like any other.
  const encoded: Record<string, string> = Object.create(null);
  for (const source of sources) {
    for (const key of Object.keys(source ?? {})) {
      try {
        const value = (source as Record<string, unknown>)[key];
        const text =
          typeof value === "string" ? value : (JSON.stringify(value) as string | undefined);
        if (text !== undefined) encoded[key] = text;
      } catch {
        // A cycle, a BigInt, a getter that throws.
        return key;
      }
    }
  }
  return encoded;
}

/** What a page gave as metadata, or undefined and a hint where it is no object: the characters of a text would become its keys. */
export function metadataOf(given: unknown, taker: string): object | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given;
  hint(`${taker} takes an object, such as { plan: "trial" }. What it was given is left out.`);
  return undefined;
}

export function cannotBeEncoded(key: string): string {
  return `The metadata's "${key}" cannot be encoded as JSON. A BigInt must be made a string first.`;
}

/** Counted after encoding, in UTF-8 bytes, as the server counts them. */
const MAX_KEYS: MetadataLimits["keys"] = 64;
const MAX_VALUE_BYTES: MetadataLimits["valueBytes"] = 8_192;
const MAX_BYTES: MetadataLimits["totalBytes"] = 32_768;

/** Metadata above the limits is refused as a whole: a part of it would mislead. */
export function isTooLarge(metadata: Record<string, string>): boolean {
  const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
  const entries = Object.entries(metadata);
  const bytes = entries.reduce((sum, [key, value]) => sum + bytesOf(key) + bytesOf(value), 0);
  return (
    bytes > MAX_BYTES ||
    entries.length > MAX_KEYS ||
    entries.some(([, value]) => bytesOf(value) > MAX_VALUE_BYTES)
  );
}

/**
 * Explains a refusal to the page's developer.
 * @param metadata Metadata above the limits, or the name of the key that could not be encoded.
 */
export function metadataHint(metadata: Record<string, string> | string): string {
  return typeof metadata === "string"
    ? cannotBeEncoded(metadata)
    : "The metadata is too large: at most 64 keys, 8,192 bytes a value, 32,768 in all.";
}
