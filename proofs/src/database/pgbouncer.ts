import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@svc/tools/free-port";

/** A PgBouncer of our own in front of a private PostgreSQL, set up as the operator's page says. */
export interface PgBouncer {
  /** The same database and login through it. */
  through(url: string): string;
  /** Kills it and starts it again. */
  kill(): Promise<void>;
}

export type PoolMode = "session" | "transaction";

const PAGE = resolve(import.meta.dirname, "../../../docs/operate/postgresql.md");
/** It refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export async function startPgBouncer(
  onEnd: (clean: () => unknown) => void,
  clusterUrl: string,
  mode: PoolMode,
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "svc-pgbouncer-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const port = await freePort();
  const [file, users] = [join(folder, "pgbouncer.ini"), join(folder, "users")];
  await writeFile(users, '"postgres" ""\n"svc_export" ""\n');
  await writeFile(file, await asDocumented({ clusterUrl, mode, port, users }));

  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = spawn("/usr/sbin/pgbouncer", ["-q", file], { stdio: "ignore", ...NOBODY });
    await Promise.race([listens(port), failed(child)]);
  };
  const end = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onEnd(end);
  await start();
  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    kill: async () => {
      await end();
      await start();
    },
  };
}

/** Only places, the mode and the missing passwords of a private PostgreSQL differ. */
async function asDocumented(own: {
  clusterUrl: string;
  mode: PoolMode;
  port: number;
  users: string;
}): Promise<string> {
  const [, ini] = /```ini pgbouncer\.ini\n([\s\S]*?)```/.exec(await readFile(PAGE, "utf8")) ?? [];
  if (ini === undefined) throw new Error(`${PAGE} has no pgbouncer.ini`);
  const changes: [RegExp, string][] = [
    [/^svc = .*$/m, `* = host=127.0.0.1 port=${new URL(own.clusterUrl).port}`],
    [/^listen_port = .*$/m, `listen_port = ${own.port}\nunix_socket_dir =`],
    [/^auth_type = .*$/m, "auth_type = trust"],
    [/^auth_file = .*$/m, `auth_file = ${own.users}`],
    [/^pool_mode = .*$/m, `pool_mode = ${own.mode}`],
  ];
  return changes.reduce((text, [pattern, line]) => {
    if (!pattern.test(text)) throw new Error(`${PAGE}: pgbouncer.ini lacks ${pattern}`);
    return text.replace(pattern, line);
  }, ini);
}

async function failed(child: ChildProcess): Promise<never> {
  const [reason] = await Promise.race([once(child, "error"), once(child, "exit")]);
  throw new Error(
    `PgBouncer did not start (${String(reason)}). Install it: apt-get install pgbouncer`,
  );
}

async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await delay(50);
  }
}
