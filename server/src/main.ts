import { createAuthenticator } from "#accounts";
import { createApi } from "#api";
import {
  createDb,
  createLog,
  createMetrics,
  createPool,
  Lifecycle,
  migrate,
  pendingMigrations,
  startOperationsServer,
  systemClock,
} from "#platform";
import type { Db, Log } from "#platform";
import { createExporter, makeLogPartitions, MemoryBudget } from "#sessions";
import { ConfigError, readConfig, redactedConfig } from "./config.ts";
import type { Config } from "./config.ts";

/** The composition root: the only file that knows every room. */
async function main(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  log.info({ config: redactedConfig(config), node: process.version }, "starting");
  const life = new Lifecycle(log, config.shutdownMs);
  const metrics = createMetrics();

  const pool = createPool(
    {
      url: config.databaseUrl,
      name: "svc",
      maxConnections: config.databaseConnections,
      statementTimeoutMs: 10_000,
    },
    log,
  );
  const exportPool = createPool(
    {
      url: config.exportDatabaseUrl,
      name: "svc-export",
      maxConnections: config.exportConnections,
      statementTimeoutMs: 3_000,
    },
    log,
  );
  const db = createDb(pool);
  life.onStop("database", () => Promise.all([db.destroy(), exportPool.end()]));

  await prepareDatabase(config, db, log);
  const upkeep = setInterval(() => void makePartitions(db, log), PARTITIONS_EVERY_MS);
  life.onStop("upkeep", async () => clearInterval(upkeep));

  const api = createApi({
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    export: {
      authenticator: createAuthenticator(db, systemClock),
      exporter: createExporter(exportPool, new MemoryBudget(config.exportMemoryBytes)),
      clock: systemClock,
      publicUrl: config.publicUrl,
      ratePerSecond: config.exportRate,
      rateBurst: config.exportBurst,
    },
  });
  // The operations port opens first and closes last: while the process stops, it says so there.
  const operations = await startOperationsServer({
    host: config.opsHost,
    port: config.opsPort,
    metrics,
    notReady: async () => [...(life.stopping ? ["stopping"] : []), ...(await databaseTrouble(db))],
  });
  life.onStop("operations", () => operations.close());

  const url = await api.listen({ host: config.host, port: config.port });
  life.onStop("api", () => api.close());
  log.info({ url, operationsUrl: operations.url }, "listening");
}

const PARTITIONS_EVERY_MS = 3_600_000;
const PARTITIONS_DAYS_AHEAD = 3;

async function prepareDatabase(config: Config, db: Db, log: Log): Promise<void> {
  if (config.migrate) {
    // A connection of its own: a large table takes longer to change than any request may take.
    const setup = createDb(
      createPool(
        {
          url: config.databaseUrl,
          name: "svc-migrate",
          maxConnections: 2,
          statementTimeoutMs: 3_600_000,
        },
        log,
      ),
    );
    const { applied } = await migrate(setup, config.exportDatabaseUrl).finally(() =>
      setup.destroy(),
    );
    if (applied.length > 0) log.info({ applied }, "migrated");
  }
  const pending = await pendingMigrations(db);
  if (pending.length > 0) {
    throw new Error(
      `The database lacks ${pending.length} migrations (${pending.join(", ")}). Start once with SVC_MIGRATE=on.`,
    );
  }
  await makePartitions(db, log);
}

/** A failure costs nothing yet: the default partition takes what has no day of its own. */
async function makePartitions(db: Db, log: Log): Promise<void> {
  await makeLogPartitions(db, PARTITIONS_DAYS_AHEAD).catch((error: unknown) =>
    log.error({ err: error }, "log partitions could not be made"),
  );
}

async function databaseTrouble(db: Db): Promise<string[]> {
  return pendingMigrations(db).then(
    (pending) => pending.map((name) => `migration ${name} has not run`),
    () => ["the database cannot be reached"],
  );
}

await main(readConfigOrExit()).catch((error: unknown) => {
  createLog("info").fatal({ err: error }, "could not start");
  process.exit(1);
});

function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
