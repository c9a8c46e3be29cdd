import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { ExplainedError } from "./explained-error.ts";

/** One of rehearsal's stand-ins of the outside world, which need no key and cost nothing. */
export interface StandInProcess {
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 20_000;
const STOPPED_WITHIN_MS = 2_000;

export async function startStandIn(options: {
  /** What it stands in for: "a language model". */
  what: string;
  /** How rehearsal is asked for it. */
  words: string[];
  url: string;
  root: string;
  environment: NodeJS.ProcessEnv;
  /** Of what it prints. */
  onLine: (line: string) => void;
  signal: AbortSignal;
}): Promise<StandInProcess> {
  const { what, words, url, root, onLine, signal } = options;
  const main = join(root, "rehearsal/src/main.ts");
  const child = spawn(process.execPath, [main, ...words, "--port", new URL(url).port], {
    cwd: root,
    env: options.environment,
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group: on ctrl-C the server still needs it to finish what it has begun.
    detached: true,
  });
  const exited = once(child, "exit");
  let complaint = "";
  createInterface({ input: child.stdout }).on("line", onLine);
  createInterface({ input: child.stderr }).on("line", (line) => {
    complaint = line || complaint;
    onLine(line);
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await Promise.race([exited, delay(STOPPED_WITHIN_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
  };

  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await isStandInThere(url))) {
    if (child.exitCode !== null || signal.aborted || performance.now() > deadline) {
      await stop();
      throw new ExplainedError({
        what: `Of the stand-ins, ${what} did not start.`,
        why: complaint || "It did not answer.",
        fix: "Correct what it says and start again.",
      });
    }
    await delay(30);
  }
  return { stop };
}

export async function isStandInThere(url: string): Promise<boolean> {
  return fetch(`${url}/rehearsal/faults`, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  );
}
