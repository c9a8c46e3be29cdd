import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Defect } from "./defects.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const CLI = "server/src/operator/cli.ts";

/** The entry of `svc` as it is. */
export const OWN_CLI: string = join(ROOT, CLI);

/** A copy of the server's sources that may be spoiled. */
export interface ServerCopy {
  /** The entry of its `svc`. */
  cli: string;
  /** Spoils it for as long as the work takes. */
  withDefect<T>(defect: Defect, work: () => Promise<T>): Promise<T>;
}

/** @param home a folder that is not there yet. */
export async function copyServer(home: string): Promise<ServerCopy> {
  await cp(join(ROOT, "server/src"), join(home, "server/src"), {
    recursive: true,
    filter: (path) => !path.endsWith(".test.ts"),
  });
  await cp(join(ROOT, "server/package.json"), join(home, "server/package.json"));
  await symlink(join(ROOT, "node_modules"), join(home, "node_modules"));
  const evaluation = join(home, "server/src/evaluation");
  return {
    cli: join(home, CLI),
    async withDefect({ name, changes }, work) {
      const sound = new Map<string, string>();
      for (const { file, from, to } of changes) {
        const path = join(evaluation, file);
        const text = await readFile(path, "utf8");
        const parts = text.split(from);
        if (parts.length !== 2) {
          throw new Error(
            `${name}: ${file} holds ${JSON.stringify(from)} ${parts.length - 1} times`,
          );
        }
        sound.set(path, text);
        await writeFile(path, parts.join(to));
      }
      const result = await work();
      for (const [path, text] of sound) await writeFile(path, text);
      return result;
    },
  };
}
