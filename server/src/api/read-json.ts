import { parseJson } from "#platform";
import type * as z from "zod";

export type ReadJson<T> =
  | { ok: true; value: T }
  | { ok: false; message: string; parameter?: string };

/**
 * A body by its schema. Keys such as `__proto__` come through as plain data. Depth is looked at
 * first, in the text: much of what touches a value later, `JSON.stringify` too, dies of a few
 * thousand levels.
 */
export function readJson<T>(schema: z.ZodType<T>, body: Buffer): ReadJson<T> {
  const text = body.toString("utf8");
  if (isDeeperThan(text, MAX_DEPTH))
    return refused(`The body is nested deeper than ${MAX_DEPTH} levels. Send it flat.`);
  let given: unknown;
  try {
    given = parseJson(text);
  } catch {
    return refused("The body is not JSON. Send what this address is documented to take.");
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  const at = issue?.code === "unrecognized_keys" ? issue.keys : issue?.path;
  const parameter = at?.[0] === undefined ? undefined : String(at[0]).slice(0, 40);
  if (parameter === undefined) return refused("The body is not an object as it is documented.");
  const why = issue?.code === "unrecognized_keys" ? "is not known here" : "is missing or not valid";
  return { ...refused(`The field ${parameter} ${why}. Correct it and try again.`), parameter };
}

/** The metadata's own 32, inside two levels of ours. */
const MAX_DEPTH = 34;

const refused = (message: string): { ok: false; message: string } => ({ ok: false, message });

function isDeeperThan(text: string, max: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > max) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
