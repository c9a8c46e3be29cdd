import { readdir, readFile } from "node:fs/promises";
import { execFileSync } from "node:child_process";

/** Processor time that a process has used, in milliseconds, with that of its children if asked for. */
export async function cpuMs(pid: number, options: { children: boolean }): Promise<number> {
  const all = await Promise.all((await processIds()).map(readTimes));
  const counted = all.filter(
    (one) => one?.pid === pid || (options.children && one?.parent === pid),
  );
  return counted.reduce((sum, one) => sum + (one?.ticks ?? 0), 0) * (1_000 / TICKS_PER_SECOND);
}

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

async function processIds(): Promise<string[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
}

async function readTimes(
  pid: string,
): Promise<{ pid: number; parent: number; ticks: number } | undefined> {
  // What cannot be read has ended meanwhile.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name in brackets may hold anything. Of the children, those that have ended count in their parent.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0);
  return { pid: Number(pid), parent: fields[1]!, ticks };
}
