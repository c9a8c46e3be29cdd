import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { NamedClaim } from "./claims.ts";
import { limitSecs } from "./proof.ts";
import type { Outcome, Size } from "./proof.ts";
import type { Note } from "./run-claims.ts";

export interface Report {
  name: string;
  verdict: "ok" | "short" | "broken";
  figure: string;
  bound: string;
  tookMs: number;
  outcome: Pick<Outcome, "size" | "engines">;
}

export interface RunOptions {
  size: Size;
  seed: number;
  print: (claim: string, line: string) => void;
  /** Added to the environment of the child, e.g. the address of the shared PostgreSQL. */
  environment?: Record<string, string>;
  /** Ends the claims early. */
  signal?: AbortSignal;
  /** Instead of each claim's own limit. */
  limitMs?: number;
  /** How long a process that was told to stop may clean up. */
  graceMs?: number;
}

const GRACE_MS = 10_000;
/** Importing the proof, and opening the stage that its claims share. */
const OPENING_MS = 20_000;

/**
 * Runs claims of one file, one after the other, each under its time limit. When one hangs or ends its
 * process, the claims behind it get a process of their own.
 */
export async function runProof(
  file: string,
  claims: NamedClaim[],
  options: RunOptions,
): Promise<Report[]> {
  const reports: Report[] = [];
  while (reports.length < claims.length) {
    const rest = claims.slice(reports.length);
    const isInterrupted = reports.length > 0 && options.signal?.aborted === true;
    const ended = isInterrupted ? rest.map(notRun) : await runInOneProcess(file, rest, options);
    reports.push(...ended);
  }
  return reports;
}

/** The reports of the claims up to the one that broke the process, or of all. */
async function runInOneProcess(
  file: string,
  claims: NamedClaim[],
  options: RunOptions,
): Promise<Report[]> {
  const names = claims.map(({ name }) => name);
  const mark = randomUUID();
  const words = [file, options.size, String(options.seed), ...names];
  const child = spawn(process.execPath, [join(import.meta.dirname, "run-claims.ts"), ...words], {
    // A process group of its own: whatever the claims start ends with it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...options.environment, [MARK]: mark },
  });
  const endGroup = (signal: NodeJS.Signals): void => {
    if (child.pid !== undefined) end(-child.pid, signal);
  };
  // The runner dying must not leave the claims running.
  const endNow = (): void => {
    endGroup("SIGKILL");
    for (const pid of markedProcesses(mark)) end(pid, "SIGKILL");
  };
  process.on("exit", endNow);

  const reports = new Map<string, Report>();
  let current = claims[0];
  let startedAt = performance.now();
  let stopped: string | undefined;
  let limit: NodeJS.Timeout | undefined;
  let force: NodeJS.Timeout | undefined;

  function stop(why: string): void {
    stopped ??= why;
    endGroup("SIGTERM");
    force ??= setTimeout(endNow, options.graceMs ?? GRACE_MS);
  }
  function setLimit(): void {
    clearTimeout(limit);
    if (current === undefined) return;
    const limitMs = options.limitMs ?? 1_000 * limitSecs(current.claim, options.size);
    const openingMs = options.limitMs === undefined && reports.size === 0 ? OPENING_MS : 0;
    const why = `over its time limit of ${limitMs / 1_000} s`;
    limit = setTimeout(() => stop(why), limitMs + openingMs);
  }
  child.on("message", (note: Note) => {
    if ("started" in note) {
      current = claims.find(({ name }) => name === note.started);
      startedAt = performance.now();
      setLimit();
      return;
    }
    const { ended: name, outcome, tookMs } = note;
    const { figure, ok, ...rest } = outcome;
    const bound = claims.find((one) => one.name === name)?.claim.bound ?? "";
    reports.set(name, {
      name,
      verdict: ok ? "ok" : "short",
      figure,
      bound,
      tookMs,
      outcome: rest,
    });
  });
  const interrupt = (): void => stop("interrupted");
  options.signal?.addEventListener("abort", interrupt);
  setLimit();

  const print = (line: string): void => options.print(current?.name ?? "", line);
  const reading = [eachLine(child.stdout, print), eachLine(child.stderr, print)];
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(limit);
  clearTimeout(force);
  options.signal?.removeEventListener("abort", interrupt);
  endNow();
  process.off("exit", endNow);
  // A process that left the group may still hold the pipes open: don't wait for it.
  await Promise.race([Promise.all(reading), delay(1_000, undefined, { ref: false })]);
  child.stdout?.destroy();
  child.stderr?.destroy();

  const ended = claims.flatMap(({ name }) => reports.get(name) ?? []);
  const broken = claims[ended.length];
  if (broken === undefined) return ended;
  const figure = stopped ?? `ended with ${code} before it told an outcome`;
  const tookMs = performance.now() - startedAt;
  return [...ended, { ...notRun(broken), figure, tookMs }];
}

function notRun({ name, claim: { bound } }: NamedClaim): Report {
  return { name, verdict: "broken", figure: "not run", bound, tookMs: 0, outcome: {} };
}

/** Marks what the claims start, whichever process group it makes its own: browsers leave theirs. */
const MARK = "SVC_CLAIMS_RUN";

function markedProcesses(mark: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(`${MARK}=${mark}`)).map(Number);
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return ""; // It has ended meanwhile.
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

async function eachLine(stream: Readable | null, take: (line: string) => void): Promise<void> {
  if (stream === null) return;
  const lines = createInterface({ input: stream }).on("line", take);
  await once(lines, "close");
}
