export { acceptsMail } from "./mail/accepts-mail.ts";
export { asSentence, connectionTrouble, databaseReason } from "./database/connection-trouble.ts";
export { awaitDatabase } from "./database/await-database.ts";
export { createLoginProbe, type LoginProbe } from "./database/login-probe.ts";
export { AppError, type AppErrorCode, errorCode, type ErrorWords } from "./app-error.ts";
export { boundedFetch } from "./egress/bounded-fetch.ts";
export {
  type ContentEncoding,
  contentEncoding,
  type EncodedBodies,
  readEncoded,
} from "./content-encoding.ts";
export { type Clock, MAX_JUMP_MS, systemClock, WatchedClock } from "./clock.ts";
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
} from "./database/db.ts";
export { type DatabaseFacts, databaseFacts } from "./database/db.ts";
export {
  type ConnectionFacts,
  connectionFacts,
  type TransactionFacts,
  transactionFacts,
  TRIED_MEGABYTES,
  tryWriting,
} from "./database/database-health.ts";
export { createDns, type Dns } from "./egress/dns.ts";
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
  newOperatorToken,
  newToken,
} from "./ids.ts";
export { copyOut } from "./database/copy-out.ts";
export {
  createEgress,
  type Egress,
  type EgressOptions,
  type EgressOutcome,
  type EgressReading,
  type EgressRequest,
} from "./egress/egress.ts";
export { checkAddress } from "./egress/target.ts";
export type { TargetRules } from "./egress/target.ts";
export { armFailpoints, failpoint } from "./failpoints.ts";
export { hashedScript, hashedStyle, html, htmlPage, type Html, type HtmlValue } from "./html.ts";
export { prepareDatabase } from "./database/prepare-database.ts";
export { jsonOrUndefined, parseJson } from "./parse-json.ts";
export {
  createSecrets,
  deriveKey,
  newWebhookSecret,
  type SecretKey,
  type Secrets,
} from "./secrets.ts";
export { databaseUrl, httpUrl, list, onOff, port, secretKeys } from "./settings/setting-values.ts";
export {
  missingSpeech,
  SPEECH_URLS,
  speechSettings,
  type SpeechPrices,
  type SpeechSettings,
  type SpeechVariables,
  speechVariables,
} from "./settings/speech-settings.ts";
export { pageName, pageNameOf } from "./page-name.ts";
export {
  hostOf,
  namedService,
  type NamedService,
  type ServiceNames,
  serviceNames,
} from "./settings/service-names.ts";
export { storable } from "./storable-text.ts";
export { isPooled } from "./database/session-limits.ts";
export {
  type ConnectionLimit,
  limitConnections,
  TOO_MANY_CONNECTIONS,
} from "./limit-connections.ts";
export { Lifecycle } from "./lifecycle.ts";
export { createLog, type Log, type LogLevel } from "./observability/log.ts";
export { type OperationsServer, startOperationsServer } from "./observability/operations-server.ts";
export { createLogMail, type Mail, MailError, type MailMessage } from "./mail/mail.ts";
export {
  type MailSettings,
  mailSettings,
  type MailVariables,
  mailVariables,
  missingMail,
} from "./mail/mail-settings.ts";
export { isOneAddress } from "./mail/mail.ts";
export { createSmtpMail } from "./mail/smtp-mail.ts";
export { reachMailServer } from "./mail/smtp-mail-handover.ts";
export { MemoryBudget } from "./memory-budget.ts";
export {
  livingProcesses,
  missingRoles,
  type ProcessLoad,
  type ProcessPart,
  type ProcessPresence,
  type ProcessRole,
  reportedProcesses,
  type ReportedProcess,
  runsPart,
  startPresence,
  takesWork,
} from "./processes/process-presence.ts";
export {
  type PartServices,
  reportServices,
  type ServiceInUse,
  servicesInUse,
  type ServicePurpose,
} from "./processes/services-in-use.ts";
export { createMetrics, type Metrics } from "./observability/metrics.ts";
export {
  inSpan,
  inTrace,
  isTracing,
  startTracing,
  type Traceparent,
  traceparentOf,
} from "./observability/tracing.ts";
export {
  migrate,
  type MigrationOutcome,
  migrationStatus,
  pendingMigrations,
} from "./database/migrate.ts";
export {
  bind,
  type BoundJob,
  type Claim,
  ClaimLost,
  createJobSender,
  defineJob,
  forgetJobs,
  hasRunner,
  type JobCounts,
  type Job,
  type JobQueue,
  type JobRunner,
  type JobSender,
  queueDepth,
  startJobRunner,
} from "./queue/index.ts";
export { type OverdueJobs, overdueJobs } from "./queue/overdue-jobs.ts";
export { startUpkeep } from "./lifecycle.ts";
export { VERSION } from "./version.ts";
export { whenOverdue } from "./when-overdue.ts";
