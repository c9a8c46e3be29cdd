/** What Firefox says when it answers. */
const FIREFOX_SECS = 0.04;

/**
 * How long sound takes from the context to the ear. Firefox is not asked: now and then it waits for
 * its sound server while that waits for it, and the whole page freezes for good.
 */
export function outputLatencySecs(context: AudioContext): number {
  return navigator.userAgent.includes("Firefox/") ? FIREFOX_SECS : context.outputLatency || 0;
}
