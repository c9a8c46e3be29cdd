import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../../..");

/** The repository as somebody who has just cloned it has it, with what is not committed yet. */
export async function freshClone(): Promise<string> {
  const clone = await realpath(await mkdtemp(join(tmpdir(), "svc-clone-")));
  // A clone is open to others; a temporary folder is not.
  await chmod(clone, 0o755);
  const { stdout } = await run("git", ["ls-files", "-coz", "--exclude-standard"], {
    cwd: root,
    maxBuffer: 64 * 2 ** 20,
  });
  for (const path of stdout.split("\0").filter((name) => name !== "")) {
    await mkdir(dirname(join(clone, path)), { recursive: true });
    // A file that is deleted but not committed is listed all the same.
    await cp(join(root, path), join(clone, path), { verbatimSymlinks: true }).catch(ifMissing);
  }
  return clone;
}

function ifMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/**
 * The packages that are installed here already, without a second download. Our own are linked to
 * the clone's folders as npm does it: a link to this node_modules would run the code from here.
 */
export async function linkPackages(clone: string): Promise<void> {
  const from = join(root, "node_modules");
  const to = join(clone, "node_modules");
  await mkdir(to);
  for (const name of await readdir(from)) {
    const isOurs = name === "@svc" || name === ".bin";
    if (isOurs)
      await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith(".")) await symlink(join(from, name), join(to, name));
  }
}

/** As the README says. */
export async function installPackages(clone: string): Promise<void> {
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: clone, maxBuffer: 2 ** 26 });
}
