/** Far more than the event loop of a healthy process is late. */
const STOOD_STILL_MS = 500;

/**
 * Calls `giveUp` when something has not come in time. A process that stood still meanwhile has not read yet what did
 * come, and gets a moment for that: otherwise one that was starved for some seconds would take every provider for dead.
 *
 * @returns to be called when it has come
 */
export function whenOverdue(ms: number, giveUp: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    if (performance.now() < dueMs + STOOD_STILL_MS) giveUp();
    else timer = setTimeout(giveUp, STOOD_STILL_MS);
  }, ms);
  return () => clearTimeout(timer);
}
