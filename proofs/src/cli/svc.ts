import { fork, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { Call } from "./warm-cli.ts";

/** One call of the CLI, and everything it printed. */
export interface Run {
  argv: string[];
  exitCode: number;
  out: string;
  err: string;
}

export interface Surroundings {
  /** Beside PATH, all that the process knows. */
  environment: Record<string, string>;
  directory: string;
}

type Answer = Omit<Run, "argv">;

const CLI = fileURLToPath(new URL("../../../server/src/operator/cli.ts", import.meta.url));
const WARM_CLI = fileURLToPath(new URL("warm-cli.ts", import.meta.url));

/**
 * Calls `svc`, a few at a time, and remembers every call. The first call of each command is a
 * process of its own, as an operator's is; the others share a few that are warm already.
 */
export class Svc {
  readonly runs: Run[] = [];
  readonly #cache: string;
  readonly #started = new Set<string>();
  readonly #warm: ChildProcess[] = [];
  #free = availableParallelism();
  readonly #waiting: (() => void)[] = [];

  /** @param cache a folder for compiled code. */
  constructor(cache: string) {
    this.#cache = cache;
  }

  async run(argv: string[], surroundings: Surroundings): Promise<Run> {
    if (this.#free === 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      const call: Call = { argv, ...surroundings };
      const run: Run = {
        argv,
        ...(await (this.#isFirst(argv) ? this.#cold(call) : this.#again(call))),
      };
      this.runs.push(run);
      return run;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  close(): void {
    for (const child of this.#warm) child.kill();
  }

  #isFirst(argv: string[]): boolean {
    const command = argv.slice(0, 2).join(" ");
    const isFirst = !this.#started.has(command) && !argv.includes("--help");
    this.#started.add(command);
    return isFirst;
  }

  async #cold({ argv, environment, directory }: Call): Promise<Answer> {
    const child = spawn(process.execPath, [CLI, ...argv], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...this.#environment(), ...environment },
    });
    const out = text(child.stdout);
    const err = text(child.stderr);
    const [exitCode] = (await once(child, "close")) as [number];
    return { exitCode, out: await out, err: await err };
  }

  async #again(call: Call): Promise<Answer> {
    const child = this.#warm.pop() ?? fork(WARM_CLI, { env: this.#environment() });
    child.send(call);
    const [answer] = (await once(child, "message")) as [Answer];
    this.#warm.push(child);
    return answer;
  }

  #environment(): NodeJS.ProcessEnv {
    return { PATH: process.env["PATH"], NODE_COMPILE_CACHE: this.#cache };
  }
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = "";
  for await (const chunk of stream.setEncoding("utf8")) all += chunk as string;
  return all;
}
