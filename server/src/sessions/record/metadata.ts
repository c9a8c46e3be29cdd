import { AppError, storable } from "#platform";
import { METADATA_LIMITS } from "@svc/contract/limits";
import type { Metadata } from "@svc/contract/types";

/**
 * The site's metadata in its stored form: strings unchanged, every other value JSON-encoded once,
 * `undefined` and functions left out. Keys such as `__proto__` are plain data, so nothing here may
 * assign by name.
 */
export function normalizeMetadata(input: Record<string, unknown>): Metadata {
  const entries: [string, string][] = [];
  let totalBytes = 0;
  for (const [key, value] of Object.entries(input)) {
    const text = encode(key, value);
    if (text === undefined) continue;
    const valueBytes = Buffer.byteLength(text);
    if (valueBytes > METADATA_LIMITS.valueBytes) {
      throw tooLarge(
        `the value of "${key.slice(0, 40)}" takes ${valueBytes} bytes, at most ${METADATA_LIMITS.valueBytes} are stored`,
      );
    }
    const name = storable(key);
    totalBytes += Buffer.byteLength(name) + valueBytes;
    entries.push([name, text]);
  }
  if (entries.length > METADATA_LIMITS.keys) {
    throw tooLarge(`it has ${entries.length} keys, at most ${METADATA_LIMITS.keys} are stored`);
  }
  if (totalBytes > METADATA_LIMITS.totalBytes) {
    throw tooLarge(
      `it takes ${totalBytes} bytes, at most ${METADATA_LIMITS.totalBytes} are stored`,
    );
  }
  return Object.fromEntries(entries);
}

function encode(key: string, value: unknown): string | undefined {
  if (typeof value === "string") return storable(value);
  // JSON.stringify overflows the stack at a few thousand levels.
  if (isDeeperThan(value, METADATA_LIMITS.depth)) {
    throw tooLarge(
      `the value of "${key.slice(0, 40)}" is nested deeper than ${METADATA_LIMITS.depth} levels`,
    );
  }
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : storable(text);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}

function tooLarge(why: string): AppError {
  return new AppError("invalid_input", {
    what: "The metadata is too large.",
    why: `${why[0]!.toUpperCase()}${why.slice(1)}.`,
    fix: "Pass less.",
  });
}
