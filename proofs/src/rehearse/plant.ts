import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Defect } from "./defects.ts";

/** Writes a copy of the agent with the defect in it. */
export async function plant(from: string, to: string, { name, changes }: Defect): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const change of changes) {
    if ("remove" in change) {
      await rm(join(to, change.remove));
      continue;
    }
    const file = join(to, change.file);
    const text = await readFile(file, "utf8");
    // Else the defect would not be there, and nothing to be caught.
    if (text.split(change.from).length !== 2)
      throw new Error(`${name}: "${change.from}" does not stand once in ${change.file}`);
    await writeFile(
      file,
      text.replace(change.from, () => change.to),
    );
  }
}
