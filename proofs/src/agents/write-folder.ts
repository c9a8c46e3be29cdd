import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** An agent's folder as it is said, and nothing else in it. */
export async function writeFolder(
  at: string,
  yaml: string,
  files: Record<string, Buffer>,
): Promise<void> {
  await rm(at, { recursive: true, force: true });
  await mkdir(at, { recursive: true });
  await writeFile(join(at, "agent.yaml"), `${yaml}\n`);
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), bytes);
  }
}
