import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { MAIN, TEST_SECRET_KEYS } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";

/** One process of the pipeline, which a proof may kill, freeze and thaw. */
export interface PipelineProcess {
  /** As the database knows its connections. */
  name: string;
  pid: number;
  /** Resolves when it works, or when it ends before that. */
  started: Promise<void>;
  /** It has started and not ended. */
  isWorking(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Every line it has logged. */
  log: Record<string, unknown>[];
  /** What it wrote past its log: a crash, an unhandled rejection. */
  errors(): string;
  ended: Promise<PipelineEnd>;
}

export interface PipelineEnd {
  /** By the clock that the database stamps with too. */
  atMs: number;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

export function startPipelineProcess(
  database: TestDatabase,
  name: string,
  environment: Record<string, string>,
): PipelineProcess {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      // Failpoints are for tests only.
      NODE_ENV: "test",
      SVC_ROLE: "pipeline",
      SVC_DATABASE_URL: `${database.url}?application_name=${name}`,
      SVC_EXPORT_DATABASE_URL: database.exportUrl,
      SVC_MIGRATE: "off",
      SVC_PUBLIC_URL: "http://127.0.0.1",
      SVC_OPS_PORT: "0",
      SVC_SECRET_KEYS: TEST_SECRET_KEYS,
      SVC_EVALUATION_MODEL: "rehearsal",
      // Receivers are on this machine.
      SVC_WEBHOOK_PLAIN_HTTP: "on",
      SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
      ...environment,
    },
  });
  const log: Record<string, unknown>[] = [];
  let isStarted = false;
  const hasStarted = Promise.withResolvers<void>();
  createInterface(child.stdout).on("line", (text) => {
    // A process that is killed while it writes leaves half a line.
    if (!text.endsWith("}")) return;
    const line = JSON.parse(text) as Record<string, unknown>;
    log.push(line);
    if (line["msg"] !== "started") return;
    isStarted = true;
    hasStarted.resolve();
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "exit").then(([exitCode, signal]: unknown[]) => {
    hasStarted.resolve();
    return {
      atMs: Date.now(),
      exitCode: exitCode as number | null,
      signal: signal as NodeJS.Signals | null,
    };
  });
  return {
    name,
    pid: child.pid!,
    started: hasStarted.promise,
    isWorking: () => isStarted && child.exitCode === null && child.signalCode === null,
    signal: (signal) => void child.kill(signal),
    log,
    errors: () => errors,
    ended,
  };
}
