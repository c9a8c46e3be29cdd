import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { operatorEnvironment } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";

const CLI = fileURLToPath(new URL("../../../server/src/operator/cli.ts", import.meta.url));

/** Calls `svc` as an operator does, and gives what it printed. Throws when it fails. `cli`: that of another checkout. */
export async function runSvc(
  database: Pick<TestDatabase, "url" | "exportUrl">,
  argv: string[],
  environment: Record<string, string> = {},
  cli: string = CLI,
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...argv], {
    maxBuffer: 64 * 2 ** 20,
    env: { PATH: process.env["PATH"], ...operatorEnvironment(database), ...environment },
  });
  return stdout;
}
