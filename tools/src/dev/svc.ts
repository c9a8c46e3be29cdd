import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ExplainedError } from "./explained-error.ts";

const run = promisify(execFile);

/** Runs one command of the operator's CLI, as an operator would, and returns what `--json` prints. */
export type Svc = (...words: string[]) => Promise<unknown>;

export function svcIn(root: string, environment: NodeJS.ProcessEnv, signal: AbortSignal): Svc {
  const cli = join(root, "server/src/operator/cli.ts");
  return async (...words) => {
    const options = { cwd: root, env: environment, signal, maxBuffer: 64 * 2 ** 20 };
    try {
      const { stdout } = await run(process.execPath, [cli, ...words, "--json"], options);
      return JSON.parse(stdout) as unknown;
    } catch (error) {
      throw explained(words, error) ?? error;
    }
  };
}

/** A text of the output, by its keys. */
export function textAt(output: unknown, ...keys: string[]): string {
  const value = keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | undefined)?.[key],
    output,
  );
  if (typeof value === "string") return value;
  throw new Error(`svc printed no text at ${keys.join(".")}: ${JSON.stringify(output)}`);
}

/** With `--json` a refusal is JSON too. */
function explained(words: string[], error: unknown): ExplainedError | undefined {
  const { stderr } = error as { stderr?: string };
  const line = stderr?.split("\n").findLast((text) => text.startsWith('{"error"'));
  if (line === undefined) return undefined;
  const { what, why, fix } = (JSON.parse(line) as { error: Record<"what" | "why" | "fix", string> })
    .error;
  return new ExplainedError({ what: `\`svc ${words.join(" ")}\` failed. ${what}`, why, fix });
}
