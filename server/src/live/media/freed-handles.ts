import type { Log } from "#platform";

const FREED_BEFORE = "trying to drop an invalid handle";

/**
 * Keeps the process when the garbage collector frees something of LiveKit's that is freed already. The library throws then,
 * where nobody can catch it, and every call of the process would end. Any other error ends the process as it would without this.
 */
export function outliveFreedHandles(log: Pick<Log, "warn" | "fatal">): void {
  process.on("uncaughtException", (error) => {
    if (error.message === FREED_BEFORE) {
      log.warn({ err: error }, "LiveKit freed something twice");
      return;
    }
    log.fatal({ err: error }, "an error that nothing has caught");
    process.exit(1);
  });
}
