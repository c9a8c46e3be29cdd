import { execFile } from "node:child_process";
import { appendFile, chown, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { cloneDatabase, connectDatabase, createTemplate } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { startPrivatePostgres } from "@svc/tools/postgres";
import type { PrivatePostgres } from "@svc/tools/postgres";

/** PostgreSQL 15: its package brings pg_basebackup, the one from npm does not. */
const VERSION = "15";
const PG_BASEBACKUP = "/usr/lib/postgresql/15/bin/pg_basebackup";

/** A database whose WAL is archived, and copies of it at a point in time. */
export interface ArchivedCluster {
  database: TestDatabase;
  /** Takes a base backup while it is at work. */
  backUp(): Promise<void>;
  /** Waits until everything written so far is archived. */
  archive(): Promise<void>;
  /** Ends PostgreSQL as a power cut does. */
  lose(): Promise<void>;
  /** A new cluster from the base backup and the archive, up to that time. */
  restore(name: string, until: string): Promise<TestDatabase>;
}

export async function openArchivedCluster(
  onEnd: (clean: () => unknown) => void,
): Promise<ArchivedCluster> {
  const settings = { archive_mode: "on", wal_level: "replica" };
  const cluster = await startPrivatePostgres({ version: VERSION, durable: true, settings });
  onEnd(() => cluster.stop());
  await createTemplate(cluster.url);
  const database = await cloneDatabase(cluster.url);
  onEnd(() => database.drop().catch(() => {}));
  const { uid, gid } = await stat(cluster.directory);
  const inside = async (name: string): Promise<string> => {
    const folder = join(cluster.directory, name);
    await mkdir(folder, { mode: 0o700 });
    await chown(folder, uid, gid);
    return folder;
  };
  const [archive, base] = [await inside("archive"), await inside("base")];
  await database.pool.query(`ALTER SYSTEM SET archive_command = 'cp %p ${archive}/%f'`);
  await database.pool.query("SELECT pg_reload_conf()");
  return {
    database,
    backUp: async () => {
      const words = ["--dbname", cluster.url, "--pgdata", base, "--checkpoint", "fast"];
      await promisify(execFile)(PG_BASEBACKUP, words, { cwd: cluster.directory, uid, gid });
    },
    archive: async () => {
      const { rows } = await database.pool.query<{ file: string }>(
        "SELECT pg_walfile_name(pg_switch_wal()) AS file",
      );
      while (!(await readdir(archive)).includes(rows[0]!.file)) await delay(50);
    },
    lose: async () => void process.kill(await cluster.pid(), "SIGKILL"),
    restore: async (name, until) => {
      const home = await inside(name);
      const data = join(home, "data");
      await promisify(execFile)("cp", ["-a", base, data]);
      await appendFile(
        join(data, "postgresql.auto.conf"),
        `restore_command = 'cp ${archive}/%f %p'\nrecovery_target_time = '${until}'\nrecovery_target_action = 'promote'\n`,
      );
      await writeFile(join(data, "recovery.signal"), "");
      // A kept cluster has a password; this one believes everybody, as the one that it was made from.
      await writeFile(join(home, "password"), "any");
      return startRestored(onEnd, home, database);
    },
  };
}

async function startRestored(
  onEnd: (clean: () => unknown) => void,
  home: string,
  lost: TestDatabase,
): Promise<TestDatabase> {
  const cluster: PrivatePostgres = await startPrivatePostgres({
    version: VERSION,
    keepIn: home,
    durable: true,
  });
  onEnd(() => cluster.stop());
  const { host } = new URL(cluster.url);
  const database = connectDatabase(Object.assign(new URL(lost.url), { host }).href, cluster.url);
  onEnd(() => database.drop().catch(() => {}));
  const recovering = "SELECT pg_is_in_recovery() AS is";
  while ((await database.pool.query<{ is: boolean }>(recovering)).rows[0]!.is) await delay(50);
  return database;
}
