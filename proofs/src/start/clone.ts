import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  symlink,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { ROOT } from "../runner/claims.ts";

const run = promisify(execFile);

/** The repository as somebody who has just cloned it has it, with what is not committed yet. */
export async function freshClone(): Promise<string> {
  const clone = await realpath(await mkdtemp(join(tmpdir(), "svc-clone-")));
  // A clone is open to others; a temporary folder is not.
  await chmod(clone, 0o755);
  const { stdout } = await run("git", ["ls-files", "-coz", "--exclude-standard"], {
    cwd: ROOT,
    maxBuffer: 64 * 2 ** 20,
  });
  for (const path of stdout.split("\0").filter((name) => name !== "")) {
    await mkdir(dirname(join(clone, path)), { recursive: true });
    // A file that is deleted but not committed is listed all the same.
    await cp(join(ROOT, path), join(clone, path), { verbatimSymlinks: true }).catch(ifMissing);
  }
  return clone;
}

function ifMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/**
 * The packages that are installed here already, without a second download. Our own are linked to
 * the clone's folders as npm does it: a link to this node_modules would run the code from here.
 */
export async function linkPackages(clone: string): Promise<void> {
  const from = join(ROOT, "node_modules");
  const to = join(clone, "node_modules");
  await mkdir(to);
  for (const name of await readdir(from)) {
    const isOurs = name === "@svc" || name === ".bin";
    if (isOurs)
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith(".")) await symlink(join(from, name), join(to, name));
  }
  // npm puts some of the server's packages beside it.
  await symlink(join(ROOT, "server/node_modules"), join(clone, "server/node_modules"));
}

/** As the README says. */
export async function installPackages(clone: string): Promise<void> {
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: clone, maxBuffer: 2 ** 26 });
}

/** `npm run dev` in a terminal of its own. */
export interface DevProcess {
  pid: number;
  /** Everything it has printed. */
  output(): string;
  /** The address it prints for its start page, once everything is up. */
  startPage(): Promise<string>;
  /** What a terminal does on ctrl-C: the signal goes to every process of its foreground group. */
  signal(signal: NodeJS.Signals): void;
  /** Its exit code, and how long it took from now. */
  exited(): Promise<{ code: number | null; tookMs: number }>;
}

export function startDev(clone: string, flags: string[], env = newShell()): DevProcess {
  const child = spawn("npm", ["run", "dev", "--", ...flags], {
    cwd: clone,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env,
  });
  const exit = once(child, "exit") as Promise<[number | null]>;
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on("line", (line) => lines.push(line));
  }
  const output = (): string => lines.join("\n");
  return {
    pid: child.pid!,
    output,
    startPage: async () => {
      for (;;) {
        const url = /Start here\s+(http\S+)/.exec(output())?.[1];
        if (url !== undefined && output().includes("Ready after")) return url;
        if (child.exitCode !== null) throw new Error(`npm run dev ended:\n${output()}`);
        await delay(20);
      }
    },
    signal: (signal) => void process.kill(-child.pid!, signal),
    exited: async () => {
      const from = performance.now();
      const [code] = await exit;
      return { code, tookMs: performance.now() - from };
    },
  };
}

/** A new user's environment: none of this project's settings, nothing of the npm that runs this proof. */
export function newShell(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SVC_|npm_|NODE_COMPILE_CACHE$)/i.test(name)),
  );
}

interface Process {
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
