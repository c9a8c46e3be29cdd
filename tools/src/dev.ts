import { explain } from "./dev/explained-error.ts";
import { readOptions, USAGE } from "./dev/options.ts";
import { startEverything } from "./dev/start-everything.ts";
import { listenForStop, whenAborted } from "./dev/stop-request.ts";

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
