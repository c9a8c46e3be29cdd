import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The packages whose leaks are patched, and a file that each patch changes. */
const PATCHED = {
  "@livekit/agents": "dist/utils.js",
  "@livekit/agents-plugin-deepgram": "dist/stt.js",
};

/**
 * A folder whose `node_modules` has these packages as their makers published them, and all others
 * as they are installed.
 */
export async function makeUnpatchedPackages(
  onEnd: (clean: () => unknown) => void,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "svc-unpatched-"));
  onEnd(() => rm(folder, { recursive: true }));
  const names = await packagesIn(join(root, "node_modules"));
  for (const name of names) {
    const [from, to] = [join(root, "node_modules", name), join(folder, "node_modules", name)];
    await mkdir(dirname(to), { recursive: true });
    if (Object.hasOwn(PATCHED, name)) await cp(from, to, { recursive: true, dereference: true });
    else await symlink(from, to);
  }
  for (const [name, file] of Object.entries(PATCHED)) {
    const path = join("node_modules", name, file);
    await takeBack(name, folder);
    const [patched, published] = await Promise.all(
      [root, folder].map((place) => readFile(join(place, path), "utf8")),
    );
    if (patched === published) throw new Error(`${name} is not patched: run npm ci.`);
  }
  return folder;
}

async function packagesIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith("."));
  const scoped = names.filter((name) => name.startsWith("@"));
  const within = await Promise.all(
    scoped.map(async (scope) =>
      (await readdir(join(folder, scope))).map((name) => `${scope}/${name}`),
    ),
  );
  return [...names.filter((name) => !name.startsWith("@")), ...within.flat()];
}

async function takeBack(name: string, folder: string): Promise<void> {
  const prefix = `${name.replace("/", "+")}+`;
  const patch = (await readdir(join(root, "patches"))).find((file) => file.startsWith(prefix));
  if (patch === undefined) throw new Error(`There is no patch of ${name}.`);
  const args = ["apply", "--reverse", join(root, "patches", patch)];
  // Inside a repository git would take the paths from its root.
  await promisify(execFile)("git", args, {
    cwd: folder,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() },
  });
}
