import { spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { parseClosingLine } from "./closing-line.ts";
import type { Closing } from "./closing-line.ts";
import { limitSecs } from "./proof.ts";
import type { About, Note, Outcome } from "./proof.ts";

export interface Report {
  name: string;
  verdict: "ok" | "short" | "broken";
  figure: string;
  bound: string;
  tookMs: number;
  about: About | undefined;
  outcome: Pick<Outcome, "size" | "engines">;
}

export interface RunOptions {
  full: boolean;
  print: (line: string) => void;
  /** Ends the proof early. */
  signal?: AbortSignal;
  /** Instead of the proof's own limit. */
  limitMs?: number;
  /** How long a proof that was told to stop may clean up. */
  graceMs?: number;
}

const GRACE_MS = 10_000;

/** Runs one proof as its own process group, under its time limit. */
export async function runProof(file: string, options: RunOptions): Promise<Report> {
  const name = basename(file, ".ts");
  const startedAt = performance.now();
  const child = spawn(process.execPath, [file, ...(options.full ? ["--full"] : [])], {
    // Its own group: whatever it starts ends with it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const endGroup = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Nothing of the group is left.
    }
  };
  // The runner dying must not leave the proof running.
  const endNow = (): void => endGroup("SIGKILL");
  process.on("exit", endNow);

  let about: About | undefined;
  let outcome: Report["outcome"] = {};
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
    const limitMs = options.limitMs ?? 1_000 * limitSecs(about, options.full);
    const leftMs = limitMs - (performance.now() - startedAt);
    limit = setTimeout(() => stop(`over its time limit of ${limitMs / 1_000} s`), leftMs);
  }
  child.on("message", (note: Note) => {
    if ("outcome" in note) outcome = note.outcome;
    else {
      about = note.about;
      setLimit();
    }
  });
  const interrupt = (): void => stop("interrupted");
  options.signal?.addEventListener("abort", interrupt);
  setLimit();

  let lastLine = "";
  const reading = [
    eachLine(child.stdout, (line) => {
      options.print(line);
      if (line.trim() !== "") lastLine = line;
    }),
    eachLine(child.stderr, options.print),
  ];
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

  const closing = parseClosingLine(lastLine);
  const verdict = closing?.ok === true ? "ok" : "short";
  const fault = stopped ?? faultOf(name, closing, code);
  return {
    name,
    verdict: fault === undefined ? verdict : "broken",
    figure: fault ?? closing?.figure ?? "",
    bound: closing?.bound ?? about?.bound ?? "",
    tookMs: performance.now() - startedAt,
    about,
    outcome,
  };
}

function faultOf(
  name: string,
  closing: Closing | undefined,
  code: number | null,
): string | undefined {
  if (closing?.name !== name) return `no closing line of its own, exit code ${code}`;
  if (closing.ok === (code === 0)) return undefined;
  return `says ${closing.ok ? "ok" : "short"} but exits with ${code}`;
}

/** What a proof says of itself, without running it. */
export async function describeProof(file: string): Promise<About | undefined> {
  const child = spawn(process.execPath, [file, "--describe"], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    timeout: 10_000,
  });
  let about: About | undefined;
  child.on("message", (note: Note) => {
    if ("about" in note) about = note.about;
  });
  await once(child, "exit");
  return about;
}

async function eachLine(stream: Readable | null, take: (line: string) => void): Promise<void> {
  if (stream === null) return;
  const lines = createInterface({ input: stream }).on("line", take);
  await once(lines, "close");
}
