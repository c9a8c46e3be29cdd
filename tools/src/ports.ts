import { execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile, readdir, readlink } from "node:fs/promises";
import { createServer } from "node:net";
import { promisify } from "node:util";

/** The process that listens on a port of this machine, where it can be known. */
export interface PortOwner {
  pid: number;
  /** The command line with which the process was started. */
  command: string;
}

export async function portOwner(port: number): Promise<PortOwner | undefined> {
  const ask = process.platform === "linux" ? fromProc : fromLsof;
  return ask(port).catch(() => undefined);
}

/** Linux tells which socket listens, and each process which sockets it has open; containers have no lsof. */
async function fromProc(port: number): Promise<PortOwner | undefined> {
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((file) => readFile(file, "utf8").catch(() => "")),
  );
  const sockets = new Set(tables.flatMap((table) => listening(table, port)));
  if (sockets.size === 0) return undefined;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    // Processes of other users, or gone meanwhile, cannot be looked into.
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const file of files) {
      const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => "");
      if (!sockets.has(target)) continue;
      const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
      return { pid: Number(pid), command: command.replaceAll("\0", " ").trim() };
    }
  }
  return undefined;
}

const LISTENING = "0A";

/** The sockets that listen on a port, named as in /proc/<pid>/fd. */
export function listening(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return table
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) && state === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
}

async function fromLsof(port: number): Promise<PortOwner | undefined> {
  const run = promisify(execFile);
  const { stdout } = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]);
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  const command = /^c(.+)$/m.exec(stdout)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), command: command ?? "" };
}

/**
 * Systems take the near end of an outgoing connection from 32768 upwards. A port from there, though free now, may be some
 * connection's when the program that it was chosen for listens seconds later, and that program then fails to start.
 */
const LISTENERS = { from: 10_000, to: 32_768 };

/** A port on loopback that nobody uses, by TCP or by UDP. A fixed one may belong to somebody else's server. */
export async function freePort(): Promise<number> {
  const port = randomInt(LISTENERS.from, LISTENERS.to);
  return (await isFree(port)) ? port : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const tcp = createServer().listen(port, "127.0.0.1");
  const udp = createSocket("udp4").bind(port, "127.0.0.1");
  const bound = await Promise.allSettled([once(tcp, "listening"), once(udp, "listening")]);
  await Promise.all([tcp, udp].map((socket) => once(socket.close(), "close")));
  return bound.every(({ status }) => status === "fulfilled");
}
