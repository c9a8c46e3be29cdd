import { cloneDatabase, createTemplate, startServerProcess } from "@svc/server/testing";
import type { ServerProcess, TestDatabase } from "@svc/server/testing";
import { startPrivatePostgres } from "@svc/tools/postgres";
import type { PrivatePostgres } from "@svc/tools/postgres";

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

export async function openStage(
  options: { durable?: boolean; settings?: Record<string, string> } = {},
): Promise<Stage> {
  const version = process.env["SVC_TEST_POSTGRES"] === "18" ? "18" : "15";
  const cluster = await startPrivatePostgres({ version, ...options });
  await createTemplate(cluster.url);
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
