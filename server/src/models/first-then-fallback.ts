import { isModelFailure } from "./model-errors.ts";

/** A provider, and the fallback that takes its place when it fails. */
export interface FirstAndFallback<One> {
  first: One;
  fallback: One | undefined;
}

/**
 * Asks the first, and the fallback when the first was away or refused. Any other error is our own
 * mistake or the caller's abort: the fallback would meet the same one.
 */
export async function firstThenFallback<One, Answer>(
  { first, fallback }: FirstAndFallback<One>,
  ask: (one: One) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask(first);
  } catch (error) {
    if (fallback === undefined || !isModelFailure(error)) throw error;
  }
  return ask(fallback);
}

/** The first, and the fallback where there is one. */
export function inOrder<One>({ first, fallback }: FirstAndFallback<One>): One[] {
  return fallback === undefined ? [first] : [first, fallback];
}
