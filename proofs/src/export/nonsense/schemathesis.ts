import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { KnownAccount } from "./known-account.ts";

export interface SchemathesisRun {
  cases: number;
  /** Its report when it found something, else nothing. */
  findings: string[];
}

/** Lets schemathesis make requests from the server's own OpenAPI file and check every answer against it. */
export async function runSchemathesis(options: {
  url: string;
  known: KnownAccount;
  /** An empty folder for what it writes. */
  home: string;
  timeMs: number;
  /** Whether one finding is enough. */
  once?: boolean;
  seed: number;
  onEnd(stop: () => void): void;
}): Promise<SchemathesisRun> {
  const program = process.env["SVC_SCHEMATHESIS"] ?? "schemathesis";
  const child = spawn(
    program,
    [
      "run",
      `${options.url}/openapi.json`,
      `--url=${options.url}`,
      `--header=Authorization: Bearer ${options.known.token}`,
      `--max-time=${Math.max(1, Math.floor(options.timeMs / 1_000))}`,
      `--seed=${options.seed}`,
      "--workers=2",
      options.once === true ? "--max-failures=1" : "--continue-on-failure",
      "--no-color",
    ],
    { cwd: options.home, stdio: ["ignore", "pipe", "pipe"] },
  );
  options.onEnd(() => child.kill());
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on("line", (line) => void lines.push(line));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve);
    child.on("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? new Error(notInstalled(program)) : error),
    );
  });
  const report = lines.join("\n");
  const cases = Number(/^\s+([\d,]+) generated/m.exec(report)?.[1]?.replaceAll(",", ""));
  if (code !== 0 && code !== 1) throw new Error(`schemathesis ended with ${code}:\n${report}`);
  if (Number.isNaN(cases))
    throw new Error(`schemathesis does not say how many cases it made:\n${report}`);
  return { cases, findings: code === 0 ? [] : [report] };
}

function notInstalled(program: string): string {
  return [
    `schemathesis is not installed: there is no program "${program}".`,
    "This proof lets it make requests from our OpenAPI file.",
    "Install it: pipx install schemathesis==4.32.5, or set SVC_SCHEMATHESIS to where it is.",
  ].join("\n");
}
