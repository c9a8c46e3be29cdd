/** How long a reloaded page waits for the lock of its former self. */
const RELOAD_MS = 1_500;

/**
 * One call per browser. Resolves with a function that lets the next one in, or with undefined when
 * another tab has one. Where the browser knows no locks, or grants none, every tab may have its own.
 */
export async function takeOnlyCall(): Promise<(() => void) | undefined> {
  if (!("locks" in navigator)) return () => {};
  return new Promise((decide) => {
    const patience = AbortSignal.timeout(RELOAD_MS);
    navigator.locks
      .request(
        "svc-call",
        { signal: patience },
        () => new Promise<void>((release) => decide(release)),
      )
      .catch(() => decide(patience.aborted ? undefined : () => {}));
  });
}
