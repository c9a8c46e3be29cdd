import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ExplainedError } from "./explained-error.ts";

/** Builds the SDK, and again whenever one of its files changes. */
export interface SdkBuilder {
  stop(): Promise<void>;
}

const BUILT_WITHIN_MS = 30_000;
const STOPPED_WITHIN_MS = 2_000;

export async function startSdkBuilder(options: {
  root: string;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}): Promise<SdkBuilder> {
  const { root, signal } = options;
  const child = spawn(
    process.execPath,
    [`--watch-path=${join(root, "sdk/src")}`, join(root, "sdk/build/build.ts")],
    { cwd: root, env: options.environment, stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  const exited = once(child, "exit");
  let complaint = "";
  const built = new AbortController();
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdout.on("data", (chunk: Buffer) => chunk.includes("sdk.js") && built.abort());
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await Promise.race([exited, delay(STOPPED_WITHIN_MS, undefined, { ref: false })]);
    child.kill("SIGKILL");
  };

  const deadline = performance.now() + BUILT_WITHIN_MS;
  while (!built.signal.aborted) {
    if (child.exitCode !== null || signal.aborted || performance.now() > deadline) {
      await stop();
      throw new ExplainedError({
        what: "The SDK could not be built.",
        why: complaint.trim().split("\n").at(-1) || "It took too long.",
        fix: "Correct what it says and start again.",
      });
    }
    await delay(30);
  }
  return { stop };
}
