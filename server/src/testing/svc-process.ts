import { fork, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** One call of `svc`, and everything it printed. */
export interface SvcRun {
  argv: string[];
  exitCode: number;
  out: string;
  err: string;
}

export interface SvcSurroundings {
  /** Beside PATH, all that the process knows. */
  environment: Record<string, string>;
  directory: string;
}

type Call = SvcSurroundings & { argv: string[] };
type Answer = Omit<SvcRun, "argv">;

const CLI = new URL("../operator/cli.ts", import.meta.url);

/** Commands that open connections of their own, which could keep a process from ending. */
const CONNECTING = /^(?:agents rehearse|mail test|rubric score|rubric try|webhooks test)$/;

/**
 * Calls `svc` and remembers every call. The first call of each group of commands, and of each command
 * that connects to others, is a process of its own, as an operator's is. The rest share processes
 * that have loaded everything, one for each call at a time: starting Node costs more than a command.
 */
export class SvcProcess {
  readonly runs: SvcRun[] = [];
  readonly #cache: string;
  readonly #started = new Set<string>();
  readonly #warm: ChildProcess[] = [];

  /** @param cache a folder for compiled code. */
  constructor(cache: string) {
    this.#cache = cache;
  }

  async run(argv: string[], surroundings: SvcSurroundings): Promise<SvcRun> {
    const call: Call = { argv, ...surroundings };
    const answer = await (this.#isFirst(argv) ? this.#callAnew(call) : this.#callWarm(call));
    const run = { argv, ...answer };
    this.runs.push(run);
    return run;
  }

  close(): void {
    for (const child of this.#warm) child.kill();
  }

  #isFirst(argv: string[]): boolean {
    if (argv.includes("--help")) return false;
    const command = argv.slice(0, 2).join(" ");
    const key = CONNECTING.test(command) ? command : argv[0]!;
    const isFirst = !this.#started.has(key);
    this.#started.add(key);
    return isFirst;
  }

  async #callAnew({ argv, environment, directory }: Call): Promise<Answer> {
    const child = spawn(process.execPath, [CLI.pathname, ...argv], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...this.#environment(), ...environment },
    });
    const closed = once(child, "close") as Promise<[number]>;
    const [out, err, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      closed,
    ]);
    return { exitCode, out, err };
  }

  async #callWarm(call: Call): Promise<Answer> {
    const child =
      this.#warm.pop() ??
      fork(fileURLToPath(import.meta.url), { env: this.#environment(), execArgv: [] });
    child.send(call);
    const [answer] = (await once(child, "message")) as [Answer];
    this.#warm.push(child);
    return answer;
  }

  #environment(): NodeJS.ProcessEnv {
    return { PATH: process.env["PATH"], NODE_COMPILE_CACHE: this.#cache };
  }
}

/** A warm process: runs the command line's own entry once per message, and catches what it prints. */
function answerCalls(): void {
  const known = { ...process.env };
  let calls = 0;
  process.on("message", async ({ argv, environment, directory }: Call) => {
    const printed = { out: "", err: "" };
    const catchInto =
      (stream: "out" | "err"): typeof process.stdout.write =>
      (chunk: string | Uint8Array) => {
        printed[stream] += String(chunk);
        return true;
      };
    process.argv = [process.execPath, CLI.pathname, ...argv];
    process.env = { ...known, ...environment };
    process.chdir(directory);
    process.exitCode = 0;
    process.stdout.write = catchInto("out");
    process.stderr.write = catchInto("err");
    try {
      // Another address of the same file: it is evaluated anew, what it imports is not.
      await import(`${CLI.href}?call=${(calls += 1)}`);
    } catch (error) {
      printed.err += String(error);
      process.exitCode = 1;
    }
    process.stdout.removeAllListeners("error");
    process.send!({ exitCode: process.exitCode, ...printed });
  });
}

if (import.meta.main) answerCalls();
