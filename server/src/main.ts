import { createAuthenticator } from "#accounts";
import { createApi } from "#api";
import { createLanguageModel } from "#evaluation";
import type { LanguageModel } from "#evaluation";
import { JOBS } from "#jobs";
import { startPipeline } from "#pipeline";
import {
  armFailpoints,
  createDb,
  createEgress,
  createJobSender,
  createLog,
  createLogMail,
  createMetrics,
  createPool,
  createSecrets,
  Lifecycle,
  migrate,
  pendingMigrations,
  startOperationsServer,
  systemClock,
} from "#platform";
import type { Db, Log, Metrics, Pool } from "#platform";
import { createExporter, makeLogPartitions, MemoryBudget } from "#sessions";
import { enqueueEvent } from "#webhooks";
import { ConfigError, readConfig, redactedConfig } from "./config.ts";
import type { Config, ModelConfig } from "./config.ts";

/** The composition root: the only file that knows every room. */
async function main(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  log.info({ config: redactedConfig(config), node: process.version }, "starting");
  if (config.failpoints !== undefined) armFailpoints(config.failpoints);
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

  // The operations port opens first and closes last: while the process stops, it says so there.
  const operations = await startOperationsServer({
    host: config.opsHost,
    port: config.opsPort,
    metrics,
    notReady: async () => [...(life.stopping ? ["stopping"] : []), ...(await databaseTrouble(db))],
  });
  life.onStop("operations", () => operations.close());

  if (config.role !== "pipeline") {
    const api = createExportApi(config, { db, exportPool, log, metrics });
    const url = await api.listen({ host: config.host, port: config.port });
    life.onStop("api", () => api.close());
    log.info({ url }, "listening");
  }
  if (config.models !== undefined && config.webhooks !== undefined) {
    const { models, webhooks } = config;
    const queuePool = createPool(
      {
        url: config.databaseUrl,
        name: "svc-queue",
        maxConnections: QUEUE_CONNECTIONS,
        // Maintenance deletes finished jobs by the thousand.
        statementTimeoutMs: 30_000,
        // A frozen process must let go of the endpoints that it was giving slots to.
        idleInTransactionMs: 3_000,
      },
      log,
    );
    const workDb = createDb(
      createPool(
        {
          url: config.databaseUrl,
          name: "svc-pipeline",
          maxConnections: config.databaseConnections,
          statementTimeoutMs: 10_000,
          // Given up for want of a connection, a delivery that was answered would be sent again.
          waitMs: 10_000,
          // A frozen process must let go of its sessions before their deadlines are overrun by five seconds.
          idleInTransactionMs: 3_000,
          prepared: true,
        },
        log,
      ),
    );
    life.onStop("queue", () => Promise.all([queuePool.end(), workDb.destroy()]));
    const pipeline = await startPipeline({
      db: workDb,
      queuePool,
      log,
      metrics,
      jobs: createJobSender(workDb, log),
      evaluation: {
        models: {
          first: languageModel(models.first),
          fallback: models.fallback && languageModel(models.fallback),
        },
        atOnce: config.evaluateAtOnce,
        withinSecs: config.evaluateWithinSecs,
        retryRate: config.reevaluateRate,
        onEvaluated: [enqueueEvent],
      },
      webhooks: {
        ...webhooks,
        egress: createEgress(webhooks),
        secrets: createSecrets(webhooks.secretKeys),
        mail: createLogMail(log),
      },
    });
    life.onStop("pipeline", () => pipeline.stop());
  }
  log.info({ role: config.role, operationsUrl: operations.url }, "started");
}

function createExportApi(
  config: Config,
  { db, exportPool, log, metrics }: { db: Db; exportPool: Pool; log: Log; metrics: Metrics },
): ReturnType<typeof createApi> {
  return createApi({
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
}

function languageModel(model: ModelConfig): LanguageModel {
  return createLanguageModel({ ...model, clock: systemClock });
}

const QUEUE_CONNECTIONS = 4;
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
    const { applied } = await migrate(setup, config.exportDatabaseUrl, JOBS).finally(() =>
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
