import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPrivatePostgres } from "@svc/tools/postgres";
import pg from "pg";
import { cloneDatabase, createTemplate } from "./database.ts";
import type { TestDatabase } from "./database.ts";

const run = promisify(execFile);

/** A PostgreSQL of one test's own, which the test may stop, start and kill. */
export interface OwnCluster {
  database: TestDatabase;
  stop(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good and removes it. */
  remove(): Promise<void>;
}

/** Of the same version as the cluster at `likeUrl`. */
export async function startOwnCluster(likeUrl: string): Promise<OwnCluster> {
  const [like] = await select<{ version: number }>(
    likeUrl,
    "SELECT current_setting('server_version_num')::integer / 10000 AS version",
  );
  const cluster = await startPrivatePostgres({ version: like?.version === 18 ? "18" : "15" });
  await createTemplate(cluster.url);
  const database = await cloneDatabase(cluster.url);
  const [paths] = await select<{ bin: string; data: string }>(
    cluster.url,
    "SELECT (SELECT setting FROM pg_config WHERE name = 'BINDIR') AS bin, current_setting('data_directory') AS data",
  );
  const { bin, data } = paths!;
  const { uid, gid } = await stat(data);
  const control = async (...flags: string[]): Promise<void> => {
    await run(join(bin, "pg_ctl"), ["-D", data, "-w", "-l", join(data, "restarts.log"), ...flags], {
      uid,
      gid,
    });
  };
  return {
    database,
    stop: (mode) => control("-m", mode, "stop"),
    // Unlike `start`, `restart` remembers the port and the settings it was started with.
    start: () => control("restart"),
    remove: async () => {
      await database.drop().catch(() => {});
      await cluster.stop();
    },
  };
}

async function select<Row extends pg.QueryResultRow>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}
