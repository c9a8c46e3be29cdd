import { embeddingSettings, modelSettings, talkModelSettings } from "#models";
import type { EmbeddingPlace, ModelSettings, ModelVariables, TalkModelSettings } from "#models";
import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import {
  mailSettings,
  missingMail,
  missingSpeech,
  runsPart,
  speechSettings,
  VERSION,
} from "#platform";
import type {
  LogLevel,
  MailSettings,
  MailVariables,
  SecretKey,
  ServiceNames,
  SpeechSettings,
  SpeechVariables,
} from "#platform";
import type { EnvironmentValues } from "./environment.ts";
import { missing } from "./parse-environment.ts";

/** The configuration of one server process. */
export interface Config {
  role: "api" | "live" | "pipeline" | "all";
  /** The name of this process. */
  instance: string;
  release: { version: string; commit: string | undefined };
  cell: string;
  databaseUrl: string;
  exportDatabaseUrl: string;
  databaseWaitMs: number;
  migrate: boolean;
  host: string;
  port: number;
  opsHost: string;
  opsPort: number;
  publicUrl: string;
  /** For `/.well-known/security.txt`. */
  securityContact: string | undefined;
  /** Who is behind the hosts that get something of what visitors say. */
  recipientNames: ServiceNames;
  /** An OpenID Connect provider whose people may sign in to the console. */
  oidc: { issuer: string; clientId: string; clientSecret: string } | undefined;
  liveUrl: string;
  /** Undefined where sound goes over the session's socket. */
  livekitUrl: string | undefined;
  sdkFolder: string;
  consoleFolder: string;
  trustedProxies: string[];
  /** Multiplies the rate limits of public routes. */
  publicRateFactor: number;
  connectionsPerAddress: number;
  logLevel: LogLevel;
  tracesUrl: string | undefined;
  shutdown: ShutdownTimes;
  databaseConnections: number;
  exportConnections: number;
  exportMemoryBytes: number;
  exportRate: number;
  exportBurst: number;
  /** Undefined in a process that holds no conversation. */
  conversation:
    | {
        models: TalkModelSettings;
        speech: SpeechSettings | undefined;
        /** Undefined where sound goes over the session's socket. */
        livekit: LivekitConfig | undefined;
        capacity: number;
      }
    | undefined;
  /** Undefined in a process that evaluates nothing. */
  models: ModelSettings | undefined;
  /** Undefined where knowledge is searched by its words alone. */
  embeddings: EmbeddingPlace | undefined;
  accountShare: number;
  evaluateAtOnce: number;
  evaluateWithinSecs: number;
  reevaluateRate: number;
  receivers: ReceiverRules;
  /** Undefined in a process that delivers nothing. */
  webhooks: WebhooksConfig | undefined;
  /** Undefined where no mail is sent. */
  mail: MailSettings | undefined;
  /** Without them no link in a mail opens. */
  secretKeys: [SecretKey, ...SecretKey[]] | undefined;
  dnsServers: string[];
  failpoints: string | undefined;
}

/** A LiveKit server, and how to be let in. */
export interface LivekitConfig {
  url: string;
  key: string;
  secret: string;
}

/** How long a stopping process may take. */
export interface ShutdownTimes {
  /** In all. */
  limitMs: number;
  /** For conversations to come to their end: nearly all of it. */
  conversationsMs: number;
  /** For the rest once no conversation is left: a job that hangs must not hold it for ten minutes. */
  restMs: number;
}

export interface WebhooksConfig {
  secretKeys: [SecretKey, ...SecretKey[]];
  atOnce: number;
  backoffMs: number;
  keepDays: number;
}

/** The addresses at which receivers are allowed. */
export interface ReceiverRules {
  allowPlainHttp: boolean;
  allowPrivate: boolean;
  /** Ranges that requests never go to. */
  alsoForbidden: string[];
}

/** @param isTest failpoints count only then: a variable that was left set must not take production down. */
export function toConfig(env: EnvironmentValues, isTest: boolean): Config {
  return {
    role: env.SVC_ROLE,
    instance: env.SVC_INSTANCE ?? `${hostname()}:${process.pid}`,
    release: { version: VERSION, commit: env.SVC_COMMIT },
    cell: env.SVC_CELL,
    databaseUrl: env.SVC_DATABASE_URL,
    exportDatabaseUrl: env.SVC_EXPORT_DATABASE_URL,
    databaseWaitMs: env.SVC_DATABASE_WAIT_SECS * 1_000,
    migrate: env.SVC_MIGRATE,
    host: env.SVC_HOST,
    port: env.SVC_PORT,
    opsHost: env.SVC_OPS_HOST,
    opsPort: env.SVC_OPS_PORT,
    publicUrl: env.SVC_PUBLIC_URL,
    securityContact: env.SVC_SECURITY_CONTACT,
    recipientNames: env.SVC_RECIPIENTS,
    oidc: completeOidc(env),
    sdkFolder: env.SVC_SDK_DIR ?? BUILT_SDK,
    consoleFolder: BUILT_CONSOLE,
    liveUrl: env.SVC_LIVE_URL ?? liveUrlAt(env.SVC_PUBLIC_URL),
    livekitUrl: env.SVC_LIVEKIT_URL,
    trustedProxies: env.SVC_TRUSTED_PROXIES,
    publicRateFactor: env.SVC_PUBLIC_RATE_FACTOR,
    connectionsPerAddress: env.SVC_CONNECTIONS_PER_ADDRESS,
    logLevel: env.SVC_LOG_LEVEL,
    tracesUrl: env.SVC_TRACES_URL,
    shutdown: shutdownTimes(env),
    databaseConnections: env.SVC_DATABASE_CONNECTIONS,
    exportConnections: env.SVC_EXPORT_CONNECTIONS,
    exportMemoryBytes: env.SVC_EXPORT_MEMORY_MB * 1_048_576,
    exportRate: env.SVC_EXPORT_RATE,
    exportBurst: env.SVC_EXPORT_BURST,
    conversation: runsPart(env.SVC_ROLE, "live")
      ? {
          models: required(talkModelSettings(env), env),
          speech: completeSpeech(env),
          livekit: completeLivekit(env),
          capacity: env.SVC_LIVE_CAPACITY,
        }
      : undefined,
    models: runsPart(env.SVC_ROLE, "pipeline") ? required(modelSettings(env), env) : undefined,
    embeddings: embeddingSettings(env),
    accountShare: env.SVC_ACCOUNT_SHARE,
    evaluateAtOnce: env.SVC_EVALUATE_AT_ONCE,
    evaluateWithinSecs: env.SVC_EVALUATE_WITHIN_SECS,
    reevaluateRate: env.SVC_REEVALUATE_RATE,
    receivers: receiverRules(env),
    webhooks: runsPart(env.SVC_ROLE, "pipeline") ? requiredWebhooks(env) : undefined,
    mail: completeMail(env),
    secretKeys: keysForLinks(env),
    dnsServers: env.SVC_DNS_SERVERS,
    failpoints: isTest ? env.SVC_FAILPOINTS : undefined,
  };
}

/** Where browsers open a session's socket, unless another address is set. */
export function liveUrlAt(publicUrl: string): string {
  return `${publicUrl.replace(/^http/, "ws")}/sdk/v1/live`;
}

/** Connections of a pipeline process for taking jobs and keeping their leases. */
export const QUEUE_CONNECTIONS = 4;

/** The most connections that a process of that role opens: its pools in main.ts. */
export function connectionsOf(
  role: Config["role"],
  given: Pick<Config, "databaseConnections" | "exportConnections">,
): number {
  return (
    given.databaseConnections +
    (runsPart(role, "api") ? given.exportConnections : 0) +
    (runsPart(role, "pipeline") ? given.databaseConnections + QUEUE_CONNECTIONS : 0)
  );
}

const BUILT_CONSOLE = fileURLToPath(new URL("../../../console/dist", import.meta.url));
const BUILT_SDK = fileURLToPath(new URL("../../../sdk/dist", import.meta.url));

/** Returns the folder that the SDK is served from; undefined in a role that serves none. */
export function sdkFolderOf(
  env: Pick<EnvironmentValues, "SVC_ROLE" | "SVC_SDK_DIR">,
): string | undefined {
  return runsPart(env.SVC_ROLE, "api") ? (env.SVC_SDK_DIR ?? BUILT_SDK) : undefined;
}

const REST_MS = 15_000;
const CONVERSATIONS_MS = 600_000;

function shutdownTimes({ SVC_ROLE, SVC_SHUTDOWN_SECS: secs }: EnvironmentValues): ShutdownTimes {
  const byRole = runsPart(SVC_ROLE, "live") ? CONVERSATIONS_MS : REST_MS;
  const limitMs = secs === undefined ? byRole : secs * 1_000;
  return {
    limitMs,
    // Ports must be closed and the last writes made after them.
    conversationsMs: limitMs - Math.min(REST_MS, limitMs / 3),
    restMs: secs === undefined ? REST_MS : limitMs,
  };
}

function requiredWebhooks(env: EnvironmentValues): WebhooksConfig {
  if (env.SVC_SECRET_KEYS === undefined) throw missing(["SVC_SECRET_KEYS"]);
  return {
    secretKeys: env.SVC_SECRET_KEYS,
    atOnce: env.SVC_DELIVER_AT_ONCE,
    backoffMs: env.SVC_WEBHOOK_RETRY_SECS * 1_000,
    keepDays: env.SVC_DELIVERY_KEEP_DAYS,
  };
}

export function receiverRules(
  env: Pick<
    EnvironmentValues,
    "SVC_WEBHOOK_PLAIN_HTTP" | "SVC_WEBHOOK_PRIVATE_ADDRESSES" | "SVC_EGRESS_FORBID"
  >,
): ReceiverRules {
  return {
    allowPlainHttp: env.SVC_WEBHOOK_PLAIN_HTTP,
    allowPrivate: env.SVC_WEBHOOK_PRIVATE_ADDRESSES,
    alsoForbidden: env.SVC_EGRESS_FORBID,
  };
}

/** Without a model every session would settle as an error, so the process does not start. */
function required<Models>(models: Models | undefined, env: ModelVariables): Models {
  if (models !== undefined) return models;
  throw missing(
    (["SVC_MODEL_URL", "SVC_EVALUATION_MODEL"] as const).filter((name) => env[name] === undefined),
  );
}

/** With one half alone, visitors would be offered a talk in which one side cannot hear or cannot speak. */
export function completeSpeech(env: SpeechVariables): SpeechSettings | undefined {
  const lacking = missingSpeech(env);
  if (lacking === undefined) return speechSettings(env);
  throw missing(
    [lacking],
    "is required: to talk by voice, somebody must hear (SVC_STT) and somebody speak (SVC_TTS). Unset both, and their fallbacks, for text alone",
  );
}

/** Mail without a sender, or signed with half a key, would end as spam, and nothing would say so. */
export function completeMail(env: MailVariables): MailSettings | undefined {
  const lacking = missingMail(env);
  if (lacking.length === 0) return mailSettings(env);
  throw missing(
    lacking,
    "is required: mail needs SVC_SMTP_URL and SVC_MAIL_FROM, and signing it all of SVC_DKIM_DOMAIN, SVC_DKIM_SELECTOR and SVC_DKIM_KEY_FILE",
  );
}

const OIDC = ["SVC_OIDC_ISSUER", "SVC_OIDC_CLIENT_ID", "SVC_OIDC_CLIENT_SECRET"] as const;

function completeOidc(env: EnvironmentValues): Config["oidc"] {
  const [issuer, clientId, clientSecret] = allOrNone(env, OIDC, "signing in with a provider") ?? [];
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return undefined;
  return { issuer, clientId, clientSecret };
}

const LIVEKIT = ["SVC_LIVEKIT_URL", "SVC_LIVEKIT_KEY", "SVC_LIVEKIT_SECRET"] as const;

function completeLivekit(env: EnvironmentValues): LivekitConfig | undefined {
  const [url, key, secret] = allOrNone(env, LIVEKIT, "a LiveKit server") ?? [];
  if (url === undefined || key === undefined || secret === undefined) return undefined;
  return { url, key, secret };
}

/** The values of variables that mean nothing without each other. Undefined where none is set. */
function allOrNone(
  env: EnvironmentValues,
  names: readonly ((typeof OIDC)[number] | (typeof LIVEKIT)[number])[],
  what: string,
): (string | undefined)[] | undefined {
  const lacking = names.filter((name) => env[name] === undefined);
  if (lacking.length === names.length) return undefined;
  if (lacking.length === 0) return names.map((name) => env[name]);
  throw missing(lacking, `is required: ${what} needs all of ${names.join(", ")}`);
}

/** Without keys no link in a mail would open, and nothing would say so. */
function keysForLinks(env: EnvironmentValues): Config["secretKeys"] {
  const { SVC_SECRET_KEYS: keys, SVC_SMTP_URL, SVC_ROLE } = env;
  if (keys === undefined && SVC_SMTP_URL !== undefined && runsPart(SVC_ROLE, "api")) {
    throw missing(
      ["SVC_SECRET_KEYS"],
      "is required where mail is sent (SVC_SMTP_URL): without it no link in a mail opens. Set it as the pipeline has it",
    );
  }
  return keys;
}
