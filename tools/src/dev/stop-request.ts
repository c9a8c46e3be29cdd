import { explain } from "./explained-error.ts";

const PARENT_CHECK_MS = 500;

/**
 * Aborts when the runner should stop: ctrl-C, SIGTERM, a closed terminal, or npm gone. Later
 * signals change nothing: npm passes the first one on a second time, and every step of stopping
 * has its own time limit.
 */
export function listenForStop(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGHUP", stop);
  process.on("uncaughtException", (error) => {
    console.error(`\n${explain(error)}`);
    process.exitCode = 1;
    stop();
  });
  // `npm run dev | head`: nobody reads any more.
  process.stdout.on("error", stop);

  // npm killed outright, for example with the editor that ran it.
  const parent = process.ppid;
  if (process.env["npm_lifecycle_event"] !== undefined) {
    setInterval(() => process.ppid !== parent && stop(), PARENT_CHECK_MS).unref();
  }
  return controller.signal;
}

export async function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
