import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Stage } from "../stage/stage.ts";

const run = promisify(execFile);

/** The stage's PostgreSQL, to be killed with SIGKILL and to come back. */
export interface KillablePostgres {
  /** Kills the postmaster, starts it again and waits until it takes connections. */
  kill(): Promise<void>;
  /** Kills one connection's backend; PostgreSQL ends all others and recovers by itself. False when there was none. */
  killBackend(): Promise<boolean>;
}

export async function makeKillable({ cluster, database }: Stage): Promise<KillablePostgres> {
  const { rows } = await database.pool.query<{ bin: string }>(
    "SELECT setting AS bin FROM pg_config WHERE name = 'BINDIR'",
  );
  const data = join(cluster.directory, "data");
  const { uid, gid } = await stat(data);
  const log = join(cluster.directory, "log");
  const isBack = (): Promise<boolean> =>
    database.pool.query("SELECT 1").then(
      () => true,
      () => false,
    );
  async function comeBack(): Promise<void> {
    while (!(await isBack())) await delay(50);
  }
  return {
    async kill() {
      const pid = await cluster.pid();
      // Read while it was being written, the file holds none; 0 would be our own process group.
      if (!(pid > 1)) throw new Error("PostgreSQL has no process to kill.");
      process.kill(pid, "SIGKILL");
      // Its children hold its memory until they notice; a new postmaster refuses to start before.
      const start = (): Promise<boolean> =>
        run(join(rows[0]!.bin, "pg_ctl"), ["-D", data, "-w", "-l", log, "restart"], {
          cwd: cluster.directory,
          uid,
          gid,
        }).then(
          () => true,
          () => false,
        );
      while (!(await start())) await delay(100);
      await comeBack();
    },
    async killBackend() {
      const found = await database.pool
        .query<{ pid: number }>(
          "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1",
        )
        .catch(() => ({ rows: [] }));
      const pid = found.rows[0]?.pid;
      if (pid === undefined) return false;
      process.kill(pid, "SIGKILL");
      await delay(50);
      await comeBack();
      return true;
    },
  };
}
