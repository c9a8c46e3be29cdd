/** Counted after encoding, in UTF-8 bytes, as the server counts them. */
const MOST_KEYS = 64;
const MOST_VALUE_BYTES = 8_192;
const MOST_BYTES = 32_768;

/**
 * What the site passed, as it is sent: strings as they are, other values JSON-encoded once,
 * `undefined` and functions left out. What is wrong, in words, when it is more than is stored or
 * cannot be encoded: then nothing is sent, because half of it would be a lie.
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
        return `The metadata's "${key}" cannot be encoded as JSON.`;
      }
    }
  }
  const keys = Object.keys(encoded);
  const coder = new TextEncoder();
  let bytes = 0;
  let isTooLarge = keys.length > MOST_KEYS;
  for (const key of keys) {
    const size = coder.encode(encoded[key]).length;
    isTooLarge ||= size > MOST_VALUE_BYTES;
    bytes += size + coder.encode(key).length;
  }
  return isTooLarge || bytes > MOST_BYTES
    ? "The metadata is too large: at most 64 keys, 8,192 bytes a value, 32,768 in all."
    : encoded;
}
