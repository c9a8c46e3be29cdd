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
