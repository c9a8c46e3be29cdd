import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseEnv, promisify } from "node:util";

const run = promisify(execFile);

/** What a unit says of the process that it starts. */
interface Unit {
  command: [string, ...string[]];
  workingDirectory: string;
  environment: Record<string, string>;
  stopSecs: number;
}

export interface StartedUnit {
  /** Stops it as systemd does: SIGTERM, and SIGKILL after the unit's time. Returns the exit code. */
  stop(): Promise<number | null>;
  /** At once, for a claim that failed. */
  kill(): void;
  /** For a unit that ends by itself. */
  ended: Promise<number | null>;
}

/** Throws what systemd says is wrong with the units. */
export async function verifyUnits(files: string[]): Promise<void> {
  const { stderr } = await run("systemd-analyze", ["verify", ...files]);
  if (stderr.trim() !== "") throw new Error(stderr);
}

/** Starts exactly what a unit says, as a user without rights, with nothing in its environment but what the unit gives. */
export function startUnit(file: string, instance = ""): StartedUnit {
  const unit = readUnit(file, instance);
  const [program, ...words] = unit.command;
  const user = ["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"];
  const child = spawn("setpriv", [...user, program, ...words], {
    cwd: unit.workingDirectory,
    env: unit.environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return {
    ended,
    kill: () => void child.kill("SIGKILL"),
    async stop() {
      child.kill("SIGTERM");
      const late = delay(unit.stopSecs * 1_000, undefined, { ref: false });
      await Promise.race([ended, late.then(() => child.kill("SIGKILL"))]);
      return ended;
    },
  };
}

function readUnit(file: string, instance: string): Unit {
  const lines = readFileSync(file, "utf8").replaceAll("%i", instance).split("\n");
  const all = (name: string): string[] =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1));
  const environment: NodeJS.Dict<string> = {};
  for (const path of all("EnvironmentFile")) {
    const isOptional = path.startsWith("-");
    const place = isOptional ? path.slice(1) : path;
    if (!isOptional || existsSync(place)) {
      Object.assign(environment, parseEnv(readFileSync(place, "utf8")));
    }
  }
  // As systemd has it: what a file says goes before what the unit says.
  const own = Object.fromEntries(
    all("Environment").flatMap((line) =>
      line.split(" ").map((one) => one.split("=") as [string, string]),
    ),
  );
  return {
    command: all("ExecStart")[0]!.split(" ") as [string, ...string[]],
    workingDirectory: all("WorkingDirectory")[0]!,
    environment: { ...own, ...(environment as Record<string, string>) },
    stopSecs: Number(all("TimeoutStopSec")[0] ?? 90),
  };
}
