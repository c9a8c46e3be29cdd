export { acceptsMail } from "./accepts-mail.ts";
export { AppError, type AppErrorCode, type ErrorWords } from "./app-error.ts";
export { boundedFetch } from "./bounded-fetch.ts";
export { type Clock, systemClock } from "./clock.ts";
export {
  createDb,
  createPool,
  type Db,
  isDatabaseAway,
  orUnavailable,
  type Pool,
  type PoolOptions,
  transact,
  type Trx,
} from "./db.ts";
export { type DatabaseFacts, databaseFacts } from "./database-facts.ts";
export { createDns, type Dns } from "./dns.ts";
export {
  CELL,
  type Cell,
  hashToken,
  isWellFormedToken,
  newAgentId,
  newClientId,
  newEndpointId,
  newPreviewToken,
  newUuid,
  newToken,
} from "./ids.ts";
export { copyOut } from "./copy-out.ts";
export {
  createEgress,
  type Egress,
  type EgressOptions,
  type EgressOutcome,
  type EgressRequest,
} from "./egress.ts";
export { checkAddress } from "./egress/check-address.ts";
export type { TargetRules } from "./egress/target.ts";
export { armFailpoints, failpoint } from "./failpoints.ts";
export { html, type Html, type HtmlValue } from "./html.ts";
export { parseJson } from "./parse-json.ts";
export { createSecrets, newWebhookSecret, type SecretKey, type Secrets } from "./secrets.ts";
export { databaseUrl, httpUrl, list, onOff, port, secretKeys } from "./setting-values.ts";
export {
  missingSpeech,
  speechSettings,
  type SpeechPrices,
  type SpeechSettings,
  type SpeechVariables,
  speechVariables,
} from "./speech-settings.ts";
export { storable } from "./storable-text.ts";
export { withDevelopment } from "./with-development.ts";
export { withoutKeys, withoutMailSecrets, withoutPassword } from "./without-secrets.ts";
export { Lifecycle } from "./lifecycle.ts";
export { createLog, type Log, type LogLevel } from "./log.ts";
export { type OperationsServer, startOperationsServer } from "./operations-server.ts";
export { createLogMail, type Mail, MailError, type MailMessage } from "./mail.ts";
export {
  type MailSettings,
  mailSettings,
  type MailVariables,
  mailVariables,
  missingMail,
} from "./mail-settings.ts";
export { isOneAddress } from "./one-address.ts";
export { createSmtpMail } from "./smtp-mail.ts";
export { reachMailServer } from "./smtp-mail-handover.ts";
export { MemoryBudget } from "./memory-budget.ts";
export { createMetrics, type Metrics } from "./metrics.ts";
export { startTracing, tracer, type Tracing } from "./tracing.ts";
export { migrate, type MigrationOutcome, migrationStatus, pendingMigrations } from "./migrate.ts";
export {
  bind,
  type BoundJob,
  type Claim,
  ClaimLost,
  createJobSender,
  defineJob,
  forgetJobs,
  hasRunner,
  type Job,
  type JobQueue,
  type JobRunner,
  type JobSender,
  startJobRunner,
} from "./queue/index.ts";
