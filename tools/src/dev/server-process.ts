import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { ExplainedError } from "./explained-error.ts";

/** The server in watch mode: Node starts it again whenever one of its files changes. */
export interface ServerProcess {
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;
/** More than the server itself may take (SVC_SHUTDOWN_SECS in settings.ts). */
const STOPPED_WITHIN_MS = 5_000;

export async function startServer(options: {
  root: string;
  environment: NodeJS.ProcessEnv;
  isReady(): Promise<boolean>;
  onLine(line: string): void;
  signal: AbortSignal;
}): Promise<ServerProcess> {
  const main = join(options.root, "server/src/main.ts");
  const child = spawn(process.execPath, ["--watch", "--watch-preserve-output", main], {
    cwd: options.root,
    env: options.environment,
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group: a ctrl-C would reach it twice, and the second one cuts its requests.
    detached: true,
  });
  const exited = once(child, "exit");
  let failure: string | undefined;
  let lastLine = "";
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on("line", (line) => {
      options.onLine(line);
      if (stripVTControlCharacters(line).startsWith("Failed running ")) failure = lastLine;
      else lastLine = line;
    });
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill("SIGTERM");
    await Promise.race([exited, delay(STOPPED_WITHIN_MS, undefined, { ref: false })]);
    endGroup(child.pid);
  };

  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await options.isReady())) {
    const isOver = performance.now() > deadline;
    if (failure !== undefined || isOver || child.exitCode !== null || options.signal.aborted) {
      await stop();
      throw new ExplainedError({
        what: "The server did not start.",
        why: failure ?? lastLine,
        fix: "Correct what its log above says and start again.",
      });
    }
    await delay(30);
  }
  return { stop };
}

/** Whatever did not stop when it was asked to. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}
