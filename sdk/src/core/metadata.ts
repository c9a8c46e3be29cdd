import type { MetadataLimits } from "@svc/contract/types";

/**
 * Encodes what the site passed as it is sent: strings unchanged, other values JSON-encoded once,
 * `undefined` and functions left out. Returns the name of a key instead, if JSON cannot hold its value.
 * Call it before the first `await`, so that later changes of the page's objects have no effect.
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
    ? `The metadata's "${metadata}" cannot be encoded as JSON.`
    : "The metadata is too large: at most 64 keys, 8,192 bytes a value, 32,768 in all.";
}
