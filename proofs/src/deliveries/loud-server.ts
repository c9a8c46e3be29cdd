import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { MAIN } from "@svc/server/testing";

/** A server of all roles that says as much as it can, and everything that it said. */
export interface LoudServer {
  url: string;
  operationsUrl: string;
  /** Standard output and standard error. */
  said(): string;
  stop(): Promise<void>;
}

/** Resolves when it works, or when it has ended. */
export async function startLoudServer(environment: Record<string, string>): Promise<LoudServer> {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      SVC_ROLE: "all",
      SVC_HOST: "127.0.0.1",
      SVC_PORT: "0",
      SVC_OPS_PORT: "0",
      SVC_LOG_LEVEL: "debug",
      ...environment,
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  const ended = once(child, "close");
  while (child.exitCode === null && !said.includes('"msg":"started"')) await delay(20);
  return {
    url: /"url":"(http[^"]+)","msg":"listening"/.exec(said)?.[1] ?? "",
    operationsUrl: /"operationsUrl":"(http[^"]+)"/.exec(said)?.[1] ?? "",
    said: () => said,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
