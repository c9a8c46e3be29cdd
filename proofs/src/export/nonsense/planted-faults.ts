import type { ServerProcess } from "@svc/server/testing";
import { COLLECT_ON_SIGNAL, liveMemory, preload } from "../../stage/live-memory.ts";
import { checkRequests } from "./check-requests.ts";
import { faultyServers, startFaultyProxy } from "./faulty-proxy.ts";
import type { KnownAccount } from "./known-account.ts";
import { runSchemathesis } from "./schemathesis.ts";

const REQUESTS = 3_000;
const TIME_MS = 20_000;

export interface PlantedRun {
  url: string;
  known: KnownAccount;
  seed: number;
  /** An empty folder. */
  home: string;
  onEnd(stop: () => void): void;
}

export interface Planted {
  fault: string;
  /** What the proof says to it; undefined when it notices nothing. */
  seen: string | undefined;
}

/** The same requests as everywhere, sent to servers that each do one thing wrong. */
export async function seeWrongAnswers({ url, known, seed, onEnd }: PlantedRun): Promise<Planted[]> {
  const planted: Planted[] = [];
  for (const [fault, server] of Object.entries(faultyServers)) {
    const proxy = await startFaultyProxy(url, server, onEnd);
    const run = { url: proxy, known, seed, total: REQUESTS, timeMs: TIME_MS, onRequest: () => {} };
    const [seen] = await checkRequests(run);
    planted.push({ fault, seen: /request \d+ of \d+: (.{1,80})/.exec(seen ?? "")?.[1] });
  }
  return planted;
}

/** Schemathesis must notice a wrong answer too. */
export async function seeBySchemathesis(run: PlantedRun): Promise<Planted> {
  const fault = "answers 500 to a wrong parameter";
  const url = await startFaultyProxy(run.url, faultyServers[fault]!, run.onEnd);
  const { findings } = await runSchemathesis({ ...run, url, timeMs: 12_000, once: true });
  return { fault, seen: findings.length > 0 ? "schemathesis reports it" : undefined };
}

/** How much memory a server with a planted leak loses to the same requests. */
export async function leakedBytes(
  server: ServerProcess,
  known: KnownAccount,
  seed: number,
): Promise<number> {
  const { url } = server;
  const ask = (total: number): Promise<string[]> =>
    checkRequests({ url, known, seed, total, timeMs: TIME_MS, onRequest: () => {} });
  await ask(REQUESTS / 10);
  const before = await liveMemory(server);
  await ask(REQUESTS);
  const after = await liveMemory(server);
  return after.liveBytes - before.liveBytes;
}

/** `COLLECT_ON_SIGNAL` with a planted leak: every request leaves 16 KB behind. */
export const COLLECT_AND_LEAK: string = `${COLLECT_ON_SIGNAL} ${preload(`
  import { Server } from "node:http";
  const left = [];
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (event, ...rest) {
    if (event === "request") left.push(new Array(2048).fill(0));
    return emit.call(this, event, ...rest);
  };
`)}`;
