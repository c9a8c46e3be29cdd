import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestDatabase } from "@svc/server/testing";

/** All that a copy of the database gives away, as text. */
export async function dumpDatabase({ pool, url }: TestDatabase): Promise<string> {
  const { rows } = await pool.query<{ bin: string }>(
    "SELECT setting AS bin FROM pg_config WHERE name = 'BINDIR'",
  );
  const program = join(rows[0]!.bin, "pg_dump");
  const { stdout } = await promisify(execFile)(program, [url], { maxBuffer: 500_000_000 });
  return stdout;
}
