import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { promisify, stripVTControlCharacters } from "node:util";
import { ExplainedError } from "./explained-error.ts";

/** A program that runs until it is stopped. */
export interface ChildProcess {
  stop(): Promise<void>;
}

export interface Surroundings {
  root: string;
  environment: NodeJS.ProcessEnv;
  /** Gets each line that the program prints. */
  onLine(line: string): void;
  /** Aborted when the runner should stop. */
  signal: AbortSignal;
}

/** The server in watch mode: Node restarts it whenever one of its files changes. */
export async function startServer(
  around: Surroundings,
  isReady: () => Promise<boolean>,
): Promise<ChildProcess> {
  return startProcess(around, {
    args: ["--watch", "--watch-preserve-output", join(around.root, "server/src/main.ts")],
    isReady,
    readyWithinMs: 30_000,
    // More than the server itself may take (SVC_SHUTDOWN_SECS in settings.ts).
    stopWithinMs: 5_000,
    what: "The server did not start.",
    fix: "Correct what its log above says and start again.",
  });
}

/** Builds the SDK, and again whenever one of its files changes. */
export async function startSdkBuilder(around: Surroundings): Promise<ChildProcess> {
  let isBuilt = false;
  const onLine = (line: string): void => {
    isBuilt ||= line.includes("sdk.js");
  };
  return startProcess(
    { ...around, onLine },
    {
      args: [
        `--watch-path=${join(around.root, "sdk/src")}`,
        join(around.root, "sdk/build/build.ts"),
      ],
      isReady: () => Promise.resolve(isBuilt),
      readyWithinMs: 30_000,
      stopWithinMs: 2_000,
      what: "The SDK could not be built.",
      fix: "Correct what it says and start again.",
    },
  );
}

/** Builds the console's pages once, in the background: nobody needs them before the first sign-in. */
export async function startConsoleBuilder(around: Surroundings): Promise<ChildProcess> {
  // Names and sizes of what was built are of no use here; why it could not be built is.
  const onLine = (line: string): void => void (line.endsWith(" br") || around.onLine(line));
  return startProcess(
    { ...around, onLine },
    {
      args: [join(around.root, "console/build/build.ts")],
      isReady: () => Promise.resolve(true),
      readyWithinMs: 0,
      stopWithinMs: 2_000,
      what: "The console could not be built.",
      fix: "Run `npm run build` to see why.",
    },
  );
}

/** A simulator of rehearsal for a third-party service, which needs no key and costs nothing. */
export interface StandIn {
  /** The service that it simulates: "a language model". */
  what: string;
  /** The arguments with which rehearsal starts it. */
  words: string[];
  url: string;
}

export async function startStandIn(
  around: Surroundings,
  { what, words, url }: StandIn,
): Promise<ChildProcess> {
  const main = join(around.root, "rehearsal/src/main.ts");
  return startProcess(around, {
    args: [main, ...words, "--port", new URL(url).port],
    isReady: () => isStandInReady(url),
    readyWithinMs: 20_000,
    stopWithinMs: 2_000,
    what: `Of the stand-ins, ${what} did not start.`,
    fix: "Correct what it says and start again.",
  });
}

export async function isStandInReady(url: string): Promise<boolean> {
  return isOk(`${url}/rehearsal/faults`);
}

export async function isOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  );
}

async function startProcess(
  { root, environment, onLine, signal }: Surroundings,
  program: {
    args: string[];
    isReady(): Promise<boolean>;
    readyWithinMs: number;
    stopWithinMs: number;
    /** The message if it does not become ready. */
    what: string;
    fix: string;
  },
): Promise<ChildProcess> {
  const child = spawn(process.execPath, program.args, {
    cwd: root,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    // In a process group of its own: otherwise ctrl-C would end it at once, in the middle of a
    // request or before the server, which still needs the stand-ins to finish what it has begun.
    detached: true,
  });
  const exited = once(child, "exit");
  let hasFailed = false;
  let lastLine = "";
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (line) => {
      onLine(line);
      // Node's watch mode goes on waiting for a change after its program has failed.
      if (stripVTControlCharacters(line).startsWith("Failed running ")) hasFailed = true;
      else lastLine = line || lastLine;
    });
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill("SIGTERM");
    await Promise.race([exited, delay(program.stopWithinMs, undefined, { ref: false })]);
    killGroup(child.pid);
  };

  const deadline = performance.now() + program.readyWithinMs;
  while (!(await program.isReady())) {
    const isOver = performance.now() > deadline;
    if (hasFailed || isOver || child.exitCode !== null || signal.aborted) {
      await stop();
      const { what, fix } = program;
      throw new ExplainedError({ what, why: lastLine || "It did not answer in time.", fix });
    }
    await delay(30);
  }
  return { stop };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Every process of the group has stopped by itself.
  }
}

const run = promisify(execFile);

/** Runs one command of the operator's CLI, as an operator would, and returns what `--json` prints. */
export type Svc = (...words: string[]) => Promise<unknown>;

export function svcIn(root: string, environment: NodeJS.ProcessEnv, signal: AbortSignal): Svc {
  const cli = join(root, "server/src/operator/cli.ts");
  return async (...words) => {
    const options = { cwd: root, env: environment, signal, maxBuffer: 64 * 2 ** 20 };
    try {
      const { stdout } = await run(process.execPath, [cli, ...words, "--json"], options);
      return JSON.parse(stdout) as unknown;
    } catch (error) {
      throw explained(words, error) ?? error;
    }
  };
}

/** A text of the output, by its keys. */
export function textAt(output: unknown, ...keys: string[]): string {
  const value = keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | undefined)?.[key],
    output,
  );
  if (typeof value === "string") return value;
  throw new Error(`svc printed no text at ${keys.join(".")}: ${JSON.stringify(output)}`);
}

/** With `--json` a refusal is JSON too. */
function explained(words: string[], error: unknown): ExplainedError | undefined {
  const { stderr } = error as { stderr?: string };
  const line = stderr?.split("\n").findLast((text) => text.startsWith('{"error"'));
  if (line === undefined) return undefined;
  const { what, why, fix } = (JSON.parse(line) as { error: Record<"what" | "why" | "fix", string> })
    .error;
  return new ExplainedError({ what: `\`svc ${words.join(" ")}\` failed. ${what}`, why, fix });
}
