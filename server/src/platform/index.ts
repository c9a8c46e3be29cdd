export { AppError, type AppErrorCode, type ErrorWords } from "./app-error.ts";
export { type Clock, systemClock } from "./clock.ts";
export {
  createDb,
  createPool,
  type Db,
  isDatabaseAway,
  orUnavailable,
  type PoolOptions,
  transact,
  type Trx,
} from "./db.ts";
export { type DatabaseFacts, databaseFacts } from "./database-facts.ts";
export {
  CELL,
  type Cell,
  hashToken,
  isWellFormedToken,
  newAgentId,
  newClientId,
  newPreviewToken,
  newSessionId,
  newToken,
} from "./ids.ts";
export { copyOut } from "./copy-out.ts";
export { parseJson } from "./parse-json.ts";
export { Lifecycle } from "./lifecycle.ts";
export { createLog, type Log, type LogLevel } from "./log.ts";
export { type OperationsServer, startOperationsServer } from "./operations-server.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export { migrate, type MigrationOutcome, migrationStatus, pendingMigrations } from "./migrate.ts";
