import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";

export interface Process {
  pid: number;
  command: string;
}

/** What runs for a folder: every process that names it or works in it, and all that descend from those. */
export async function processesOf(folder: string): Promise<Process[]> {
  const all = await everyProcess();
  // By its name, which is its own: the database of a closed checkout lies elsewhere under that name.
  const name = basename(folder);
  const isOfFolder = ({ command, cwd }: Listed): boolean =>
    command.includes(name) || cwd.includes(name);
  const found = new Set(all.filter(isOfFolder).map(({ pid }) => pid));
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid) && pid !== process.pid);
}

interface Listed extends Process {
  parent: number;
  cwd: string;
}

async function everyProcess(): Promise<Listed[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const read = async (pid: string): Promise<Listed[]> => {
    const [command, stat, cwd] = await Promise.all([
      readFile(`/proc/${pid}/cmdline`, "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8"),
      readlink(`/proc/${pid}/cwd`).catch(() => ""),
    ]);
    // The name in brackets may hold anything; state and parent follow it.
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return [];
    const shown = command.replaceAll("\0", " ").trim();
    return [{ pid: Number(pid), parent: Number(parent), command: shown, cwd }];
  };
  // What cannot be read has ended meanwhile.
  return (await Promise.all(pids.map((pid) => read(pid).catch(() => [])))).flat();
}
