import { randomBytes } from "node:crypto";

/**
 * Reads JSON with the keys that it has. V8's own parser may not: once it has seen a key that ends
 * in a backslash, it takes a key such as "\t" in the same place for that one (nodejs/node#63785).
 * Keys with an escape therefore go through it under names that nobody has used before.
 */
export function parseJson(text: string): unknown {
  const starts = escapedKeys(text);
  if (starts.length === 0) return JSON.parse(text) as unknown;
  let marked = "";
  let done = 0;
  for (const start of starts) {
    marked += `${text.slice(done, start)}${MARK}${(markedKeys += 1)}:`;
    done = start;
  }
  return unmarked(JSON.parse(marked + text.slice(done)) as unknown);
}

/** Undefined for what is no JSON: a schema refuses that with its own words. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const MARK = randomBytes(12).toString("base64url");
let markedKeys = 0;

/** Returns the positions of keys that contain a backslash, after their quotation mark. */
function escapedKeys(text: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf("\\"); at >= 0; at = text.indexOf("\\", at)) {
    const start = text.lastIndexOf('"', at) + 1;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    AFTER_KEY.lastIndex = at + 1;
    if (AFTER_KEY.test(text)) starts.push(start);
    at += 1;
  }
  return starts;
}

const AFTER_KEY = /[ \t\r\n]*:/y;

function unmarked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarked);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.startsWith(MARK) ? key.slice(key.indexOf(":") + 1) : key,
      unmarked(inner),
    ]),
  );
}
