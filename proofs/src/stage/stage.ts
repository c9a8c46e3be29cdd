import { cloneDatabase, createTemplate, startServerProcess } from "@svc/server/testing";
import type { ServerProcess, TestDatabase } from "@svc/server/testing";
import { startPrivatePostgres } from "@svc/tools/postgres";
import type { PrivatePostgres } from "@svc/tools/postgres";
import { postgresVersion, sharedPostgres } from "./shared-postgres.ts";

/** What a proof stands on: a real PostgreSQL, a migrated database, and the server as its own processes. */
export interface Stage {
  cluster: PrivatePostgres;
  database: TestDatabase;
  /** Another migrated database in the same cluster. */
  cloneDatabase(): Promise<TestDatabase>;
  startServer(
    environment?: Record<string, string>,
    database?: TestDatabase,
  ): Promise<ServerProcess>;
  close(): Promise<void>;
}

/** @param options any of them asks for a PostgreSQL of its own instead of the one that the run shares. */
export async function openStage(
  options: {
    own?: true;
    /** Survives being killed: for proofs that kill it. */
    durable?: true;
    settings?: Record<string, string>;
    /** Variables for its processes. */
    environment?: Record<string, string>;
  } = {},
): Promise<Stage> {
  const shared = Object.keys(options).length === 0 ? sharedPostgres() : undefined;
  const cluster = shared ?? (await openOwn(options));
  const database = await cloneDatabase(cluster.url);
  const databases = [database];
  const servers: ServerProcess[] = [];
  return {
    cluster,
    database,
    cloneDatabase: async () => {
      const another = await cloneDatabase(cluster.url);
      databases.push(another);
      return another;
    },
    startServer: async (environment = {}, on = database) => {
      const server = await startServerProcess(on, environment);
      servers.push(server);
      return server;
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all(databases.map((one) => one.drop().catch(() => {})));
      await cluster.stop();
    },
  };
}

async function openOwn(options: {
  durable?: true;
  settings?: Record<string, string>;
  environment?: Record<string, string>;
}): Promise<PrivatePostgres> {
  const cluster = await startPrivatePostgres({ version: postgresVersion, ...options });
  await createTemplate(cluster.url);
  return cluster;
}
