/** Counted after encoding, in UTF-8 bytes, as the server counts them. */
const MOST_KEYS = 64;
const MOST_VALUE_BYTES = 8_192;
const MOST_BYTES = 32_768;

/**
 * What the site passed, as it is sent: strings as they are, other values JSON-encoded once,
 * `undefined` and functions left out. `undefined` when it is more than is stored, or cannot be
 * encoded: then nothing is sent, because half of it would be a lie.
 */
export function encodeMetadata(
  ...sources: readonly (object | null | undefined)[]
): Record<string, string> | undefined {
  // A null prototype: `__proto__` is a key like any other.
  const encoded: Record<string, string> = Object.create(null);
  let bytes = 0;
  try {
    for (const source of sources) {
      for (const [key, value] of Object.entries(source ?? {})) {
        const text =
          typeof value === "string" ? value : (JSON.stringify(value) as string | undefined);
        if (text !== undefined) encoded[key] = text;
      }
    }
  } catch {
    return undefined; // A cycle, a BigInt, a getter that throws.
  }
  const keys = Object.keys(encoded);
  const coder = new TextEncoder();
  for (const key of keys) {
    const size = coder.encode(encoded[key]).length;
    if (size > MOST_VALUE_BYTES) return undefined;
    bytes += size + coder.encode(key).length;
  }
  return keys.length > MOST_KEYS || bytes > MOST_BYTES ? undefined : encoded;
}
