import * as z from "zod";

/**
 * A map with keys of the customer's choice and at least one entry.
 *
 * `z.record` silently drops the key `__proto__`, which is plain data here: it passes through the
 * record under another name and gets its own back afterwards.
 */
export function dictionary<V>(value: z.ZodType<V>): z.ZodType<Record<string, V>> {
  const entries = z
    .record(z.string(), value)
    .refine((map) => Object.keys(map).length > 0, "expected at least one entry")
    .meta({ minProperties: 1 })
    .overwrite((map) => renameKeys(map, (key) => key.replace(/^_(_{2,}proto__)$/, "$1")));
  return z.preprocess((input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
    return renameKeys(input as Record<string, unknown>, (key) =>
      key.replace(/^_{2,}proto__$/, "_$&"),
    );
  }, entries);
}

/** `Object.fromEntries` defines `__proto__` as a key, where an assignment would set the prototype. */
function renameKeys<V>(map: Record<string, V>, rename: (key: string) => string): Record<string, V> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [rename(key), value]));
}
