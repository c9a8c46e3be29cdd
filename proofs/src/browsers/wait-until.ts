import { setTimeout as delay } from "node:timers/promises";

/** Looks again and again until it is so. False when it is not in time. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  withinMs: number,
  everyMs = 5,
): Promise<boolean> {
  const endMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) return false;
    await delay(everyMs);
  }
  return true;
}
