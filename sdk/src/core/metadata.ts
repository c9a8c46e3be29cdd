import type { MetadataLimits } from "@svc/contract/types";

/**
 * What the site passed, as it is sent: strings as they are, other values JSON-encoded once,
 * `undefined` and functions left out. The name of a key instead, if JSON cannot hold its value. To be
 * called before anything is waited for: what the page does with its objects later is its own business.
 */
export function encodeMetadata(
  ...sources: readonly (object | null | undefined)[]
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

/** Counted after encoding, in UTF-8 bytes, as the server counts them. */
const MAX_KEYS: MetadataLimits["keys"] = 64;
const MAX_VALUE_BYTES: MetadataLimits["valueBytes"] = 8_192;
const MAX_BYTES: MetadataLimits["totalBytes"] = 32_768;

/** More than is stored is not sent at all, because half of it would be a lie. */
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
 * What is wrong, for the page's developer.
 * @param metadata too large, or the name of the key that could not be encoded.
 */
export function metadataHint(metadata: Record<string, string> | string): string {
  return typeof metadata === "string"
    ? `The metadata's "${metadata}" cannot be encoded as JSON.`
    : "The metadata is too large: at most 64 keys, 8,192 bytes a value, 32,768 in all.";
}
