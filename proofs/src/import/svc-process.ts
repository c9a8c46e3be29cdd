import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestDatabase } from "@svc/server/testing";

/** `svc`, started as an operator starts it. */
export interface SvcProcess {
  isRunning(): boolean;
  /** SIGKILL: no handler, no clean-up. */
  kill(): void;
  ended: Promise<SvcEnd>;
}

export interface SvcEnd {
  killed: boolean;
  exitCode: number | null;
  /** What `--json` printed. */
  output: Record<string, unknown>;
  errors: string;
}

const CLI = fileURLToPath(new URL("../../../server/src/operator/cli.ts", import.meta.url));

/** @param stdin a file that is piped into it. */
export function startSvc(
  database: TestDatabase,
  argv: string[],
  { stdin, cwd }: { stdin?: string; cwd: string },
): SvcProcess {
  const child = spawn(process.execPath, [CLI, ...argv, "--json"], {
    cwd,
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      // Two dozen starts: half of each would be spent on reading the same sources.
      NODE_COMPILE_CACHE: join(cwd, "compiled"),
      SVC_DATABASE_URL: database.url,
      SVC_EXPORT_DATABASE_URL: database.exportUrl,
    },
  });
  // A reader that is killed breaks the pipe.
  if (stdin !== undefined) createReadStream(stdin).pipe(child.stdin!.on("error", () => {}));
  let printed = "";
  let errors = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close").then(([exitCode, signal]: unknown[]): SvcEnd => ({
    killed: signal === "SIGKILL",
    exitCode: exitCode as number | null,
    output: (signal === null && printed !== "" ? JSON.parse(printed) : {}) as Record<
      string,
      unknown
    >,
    errors,
  }));
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill("SIGKILL"),
    ended,
  };
}
