import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

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

export function startDev(clone: string, flags: string[]): DevProcess {
  const child = spawn("npm", ["run", "dev", "--", ...flags], {
    cwd: clone,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: newShell(),
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
