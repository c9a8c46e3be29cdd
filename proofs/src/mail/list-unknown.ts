import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestDatabase } from "@svc/server/testing";

const CLI = fileURLToPath(new URL("../../../server/src/operator/cli.ts", import.meta.url));
/** No list of `svc` is longer. */
export const LISTED_AT_MOST = 1_000;

/** The sessions of which `svc` tells the operator that nobody knows whether their mail arrived. */
export async function listUnknown(
  { url, exportUrl }: TestDatabase,
  compiled: string,
): Promise<string[]> {
  const argv = ["mail", "list", "--state", "unknown", "--limit", String(LISTED_AT_MOST), "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...argv], {
    maxBuffer: 64 * 2 ** 20,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: compiled,
      SVC_DATABASE_URL: url,
      SVC_EXPORT_DATABASE_URL: exportUrl,
    },
  });
  const { mails } = JSON.parse(stdout) as { mails: { session_id: string }[] };
  return mails.map((mail) => mail.session_id);
}
