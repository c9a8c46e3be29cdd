import { explain } from "./dev/explained-error.ts";
import { readOptions, USAGE } from "./dev/settings.ts";
import { startEverything } from "./dev/start-everything.ts";

/** `npm run dev`: a database, the server and a start page, until ctrl-C. */
const stopRequest = listenForStop();
const running: (() => Promise<void>)[] = [];
let isUp = false;
try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === undefined) {
    console.log(USAGE);
  } else {
    await startEverything(options, stopRequest, (stop) => running.push(stop));
    isUp = true;
    await whenAborted(stopRequest);
  }
} catch (error) {
  if (!stopRequest.aborted) {
    console.error(`\n${explain(error)}`);
    process.exitCode = 1;
  }
}
if (running.length > 0) {
  for (const stop of running.toReversed()) {
    await stop().catch((error: unknown) => console.error(explain(error)));
  }
  console.log(isUp ? "\nStopped. The data stays." : "\nStopped what had been started.");
}
process.exit();

/**
 * Aborts when the runner should stop: ctrl-C, SIGTERM, a closed terminal, or npm gone. Later
 * signals change nothing: npm passes the first one on a second time, and every step of stopping
 * has its own time limit.
 */
function listenForStop(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGHUP", stop);
  process.on("uncaughtException", (error) => {
    console.error(`\n${explain(error)}`);
    process.exitCode = 1;
    stop();
  });
  // In `npm run dev | head`, nothing reads the output any more.
  process.stdout.on("error", stop);

  // npm can be killed outright, for example with the editor that ran it, and then passes no signal on.
  const parent = process.ppid;
  if (process.env["npm_lifecycle_event"] !== undefined) {
    setInterval(() => process.ppid !== parent && stop(), 500).unref();
  }
  return controller.signal;
}

async function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}
