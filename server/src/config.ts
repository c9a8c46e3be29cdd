import { isIP, isIPv4, isIPv6 } from "node:net";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import {
  CELL,
  databaseUrl,
  httpUrl,
  list,
  mailSettings,
  mailVariables,
  missingMail,
  missingSpeech,
  onOff,
  port,
  secretKeys,
  speechSettings,
  speechVariables,
  withDevelopment,
  withoutKeys,
  withoutMailSecrets,
  withoutPassword,
} from "#platform";
import type {
  LogLevel,
  MailSettings,
  MailVariables,
  SecretKey,
  SpeechSettings,
  SpeechVariables,
} from "#platform";
import { conversing, modelSettings, modelVariables } from "#models";
import type { ModelSettings, ModelVariables } from "#models";

/**
 * Everything the server can be told, in one place. Nothing else reads the environment.
 * Names, defaults and meanings are also the table in docs/operate/configuration.md.
 */
const Environment = z.object({
  SVC_ROLE: z
    .enum(["api", "live", "pipeline", "all"])
    .default("all")
    .describe("Which part of the service this process runs"),
  SVC_CELL: z
    .string()
    .regex(CELL, "must be two lower-case letters or digits")
    .default("aa")
    .describe("The cell named in new identifiers"),
  SVC_DATABASE_URL: databaseUrl().describe("PostgreSQL, as the owner of the schema"),
  // Row-level security is written for that role; any other would see every account.
  SVC_EXPORT_DATABASE_URL: databaseUrl()
    .regex(/^[a-z]+:\/\/svc_export[:@]/, "must log in as svc_export")
    .describe("The same database, logging in as svc_export"),
  SVC_MIGRATE: onOff().default(true).describe("Run migrations at start"),
  SVC_HOST: z.string().default("0.0.0.0").describe("Address to listen on"),
  SVC_PORT: port().default(8080).describe("Port for customers and browsers; 0 takes a free one"),
  SVC_OPS_HOST: z.string().default("127.0.0.1").describe("Address of the operations port"),
  SVC_OPS_PORT: port()
    .default(9464)
    .describe("Port for health, readiness and metrics; keep it inside"),
  SVC_PUBLIC_URL: httpUrl("https://api.example.com").describe(
    "The address customers use for the REST API, as it stands in Link headers",
  ),
  SVC_LIVE_URL: z
    .url({ protocol: /^wss?$/, error: "must look like wss://live.example.com/sdk/v1/live" })
    .optional()
    .describe("Where browsers open a session's socket; /sdk/v1/live at SVC_PUBLIC_URL by default"),
  SVC_SDK_DIR: z
    .string()
    .optional()
    .describe("Where the SDK's built files are; by default where `npm run build` puts them"),
  SVC_TRUSTED_PROXIES: list()
    .refine((all) => all.every(isAddressOrRange), "must look like 192.168.0.1,10.0.0.0/8")
    .default([])
    .describe("Addresses or ranges of proxies whose X-Forwarded-For counts, separated by commas"),
  SVC_LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("How much is logged"),
  SVC_TRACES_URL: httpUrl("http://collector:4318/v1/traces")
    .optional()
    .describe("Where traces go, by OTLP over HTTP; without it there are none"),
  SVC_SHUTDOWN_SECS: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(15)
    .describe("How long a stopping process may finish what it has begun"),
  SVC_DATABASE_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe("Most connections of this process to answer with, and as many for background work"),
  ...modelVariables,
  ...speechVariables,
  SVC_LIVE_CAPACITY: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(40)
    .describe(
      "Most conversations at once in this process; more are refused, and the next takes them",
    ),
  SVC_EVALUATE_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(500)
    .default(16)
    .describe("Evaluations at once in this process"),
  SVC_EVALUATE_WITHIN_SECS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(300)
    .describe("How long a session may wait for its evaluation before it settles as an error"),
  SVC_REEVALUATE_RATE: z.coerce
    .number()
    .min(0.1)
    .max(1000)
    .default(5)
    .describe("Evaluations a second taken up again once a model is back"),
  SVC_SECRET_KEYS: secretKeys()
    .optional()
    .describe(
      "Keys that seal webhook secrets and sign the links in mails, the newest first: k2:…,k1:…, each the base64 of 32 random bytes; needed by the pipeline, and by api for those links",
    ),
  ...mailVariables,
  SVC_DELIVER_AT_ONCE: z.coerce
    .number()
    .int()
    .min(1)
    .max(5000)
    .default(256)
    .describe("Webhook requests at once in this process; at most 8 of them to one receiver"),
  SVC_WEBHOOK_PLAIN_HTTP: onOff().default(false).describe("Allow http:// receivers"),
  SVC_WEBHOOK_PRIVATE_ADDRESSES: onOff()
    .default(false)
    .describe("Allow receivers inside your own network; never where customers name them"),
  SVC_WEBHOOK_RETRY_SECS: z.coerce
    .number()
    .min(0.1)
    .max(600)
    .default(30)
    .describe("From the start of one attempt of a delivery to the start of the next"),
  SVC_DELIVERY_KEEP_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe("How long finished deliveries, their bytes and their attempts are kept"),
  SVC_DNS_SERVERS: list()
    .refine(
      (all) => all.every(isNameServer),
      "must look like 10.0.0.53, 10.0.0.53:5353 or [fd00::53]:5353: addresses, not names",
    )
    .default([])
    .describe(
      "Name servers for receivers' addresses and visitors' email domains, in place of the machine's own",
    ),
  SVC_FAILPOINTS: z
    .string()
    .optional()
    .describe("Places where this process fails, for tests of its recovery only"),
  SVC_EXPORT_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(8)
    .describe("Most connections of the export: how many pages are read at once"),
  SVC_EXPORT_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(8)
    .default(256)
    .describe("Memory that all export pages in flight may take together"),
  SVC_EXPORT_RATE: z.coerce
    .number()
    .positive()
    .default(100)
    .describe("Export requests a second per token"),
  SVC_EXPORT_BURST: z.coerce
    .number()
    .min(1)
    .default(1000)
    .describe("Export requests at once per token"),
});

/** What both the api and the live socket can compare an address with. */
function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

/** As Node's resolver takes them; but at port 0 it ends the process, and one above 65535 it takes for another. */
function isNameServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const { v4 = "", v6 = "", at = "53" } = NAME_SERVER.exec(text)?.groups ?? {};
  return (isIPv4(v4) || isIPv6(v6)) && Number(at) >= 1 && Number(at) <= 65_535;
}

const NAME_SERVER = /^(?:(?<v4>[^:[\]]+)|\[(?<v6>[^[\]]+)\])(?::(?<at>\d{1,5}))?$/;

export interface Config {
  role: "api" | "live" | "pipeline" | "all";
  cell: string;
  databaseUrl: string;
  exportDatabaseUrl: string;
  migrate: boolean;
  host: string;
  port: number;
  opsHost: string;
  opsPort: number;
  publicUrl: string;
  liveUrl: string;
  sdkFolder: string;
  trustedProxies: string[];
  logLevel: LogLevel;
  tracesUrl: string | undefined;
  shutdownMs: number;
  databaseConnections: number;
  exportConnections: number;
  exportMemoryBytes: number;
  exportRate: number;
  exportBurst: number;
  /** Undefined in a process that holds no conversation. */
  conversation:
    | { models: ModelSettings; speech: SpeechSettings | undefined; capacity: number }
    | undefined;
  /** Undefined in a process that evaluates nothing. */
  models: ModelSettings | undefined;
  evaluateAtOnce: number;
  evaluateWithinSecs: number;
  reevaluateRate: number;
  /** Undefined in a process that delivers nothing. */
  webhooks: WebhooksConfig | undefined;
  /** Undefined where no mail is sent. */
  mail: MailSettings | undefined;
  /** Without them nobody can follow a link of a mail. */
  secretKeys: [SecretKey, ...SecretKey[]] | undefined;
  failpoints: string | undefined;
}

export interface WebhooksConfig extends ReceiverRules {
  secretKeys: [SecretKey, ...SecretKey[]];
  atOnce: number;
  retryAfterMs: number;
  keepDays: number;
  dnsServers: string[];
}

/** Where receivers may be. */
export interface ReceiverRules {
  allowPlainHttp: boolean;
  allowPrivate: boolean;
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const env = parse(Environment, environment);
  return {
    role: env.SVC_ROLE,
    cell: env.SVC_CELL,
    databaseUrl: env.SVC_DATABASE_URL,
    exportDatabaseUrl: env.SVC_EXPORT_DATABASE_URL,
    migrate: env.SVC_MIGRATE,
    host: env.SVC_HOST,
    port: env.SVC_PORT,
    opsHost: env.SVC_OPS_HOST,
    opsPort: env.SVC_OPS_PORT,
    publicUrl: env.SVC_PUBLIC_URL,
    sdkFolder: env.SVC_SDK_DIR ?? BUILT_SDK,
    liveUrl: env.SVC_LIVE_URL ?? `${env.SVC_PUBLIC_URL.replace(/^http/, "ws")}/sdk/v1/live`,
    trustedProxies: env.SVC_TRUSTED_PROXIES,
    logLevel: env.SVC_LOG_LEVEL,
    tracesUrl: env.SVC_TRACES_URL,
    shutdownMs: env.SVC_SHUTDOWN_SECS * 1_000,
    databaseConnections: env.SVC_DATABASE_CONNECTIONS,
    exportConnections: env.SVC_EXPORT_CONNECTIONS,
    exportMemoryBytes: env.SVC_EXPORT_MEMORY_MB * 1_048_576,
    exportRate: env.SVC_EXPORT_RATE,
    exportBurst: env.SVC_EXPORT_BURST,
    conversation: runs(env.SVC_ROLE, "live")
      ? {
          models: requiredModels(conversing(env)),
          speech: wholeSpeech(env),
          capacity: env.SVC_LIVE_CAPACITY,
        }
      : undefined,
    models: runs(env.SVC_ROLE, "pipeline") ? requiredModels(env) : undefined,
    evaluateAtOnce: env.SVC_EVALUATE_AT_ONCE,
    evaluateWithinSecs: env.SVC_EVALUATE_WITHIN_SECS,
    reevaluateRate: env.SVC_REEVALUATE_RATE,
    webhooks: runs(env.SVC_ROLE, "pipeline") ? requiredWebhooks(env) : undefined,
    mail: wholeMail(env),
    secretKeys: keysForLinks(env),
    failpoints: failpoints(env.SVC_FAILPOINTS, environment),
  };
}

const BUILT_SDK = fileURLToPath(new URL("../../sdk/dist", import.meta.url));

function runs(role: Config["role"], part: "api" | "live" | "pipeline"): boolean {
  return role === "all" || role === part;
}

function requiredWebhooks(env: z.output<typeof Environment>): WebhooksConfig {
  if (env.SVC_SECRET_KEYS === undefined) throw missing(["SVC_SECRET_KEYS"]);
  return {
    secretKeys: env.SVC_SECRET_KEYS,
    ...receiverRules(env),
    atOnce: env.SVC_DELIVER_AT_ONCE,
    retryAfterMs: env.SVC_WEBHOOK_RETRY_SECS * 1_000,
    keepDays: env.SVC_DELIVERY_KEEP_DAYS,
    dnsServers: env.SVC_DNS_SERVERS,
  };
}

function receiverRules(
  env: Pick<
    z.output<typeof Environment>,
    "SVC_WEBHOOK_PLAIN_HTTP" | "SVC_WEBHOOK_PRIVATE_ADDRESSES"
  >,
): ReceiverRules {
  return {
    allowPlainHttp: env.SVC_WEBHOOK_PLAIN_HTTP,
    allowPrivate: env.SVC_WEBHOOK_PRIVATE_ADDRESSES,
  };
}

/** For what only some need: by default every role but one. */
function missing(names: string[], message = "is required, unless SVC_ROLE=api"): ConfigError {
  return new ConfigError(
    new z.ZodError(
      names.map((name) => ({ code: "custom", path: [name], message, input: undefined })),
    ),
  );
}

/** Sessions would settle as errors one by one; better that the process does not start. */
function requiredModels(env: ModelVariables): ModelSettings {
  const models = modelSettings(env);
  if (models !== undefined) return models;
  throw missing(
    (["SVC_MODEL_URL", "SVC_EVALUATION_MODEL"] as const).filter((name) => env[name] === undefined),
  );
}

/** Half of it would offer visitors a talk in which one side is deaf or mute. */
function wholeSpeech(env: SpeechVariables): SpeechSettings | undefined {
  const lacking = missingSpeech(env);
  if (lacking === undefined) return speechSettings(env);
  throw missing(
    [lacking],
    "is required: to talk by voice, somebody must hear (SVC_STT) and somebody speak (SVC_TTS). Unset both, and their fallbacks, for text alone",
  );
}

/** A signature that nobody can check, or mail from nobody, would end as spam without a word. */
function wholeMail(env: MailVariables): MailSettings | undefined {
  const lacking = missingMail(env);
  if (lacking.length === 0) return mailSettings(env);
  throw missing(
    lacking,
    "is required: mail needs SVC_SMTP_URL and SVC_MAIL_FROM, and signing it all of SVC_DKIM_DOMAIN, SVC_DKIM_SELECTOR and SVC_DKIM_KEY_FILE",
  );
}

/** Without keys every link in a mail would lead nowhere, and nobody would hear of it. */
function keysForLinks(env: z.output<typeof Environment>): Config["secretKeys"] {
  const { SVC_SECRET_KEYS: keys, SVC_SMTP_URL, SVC_ROLE } = env;
  if (keys === undefined && SVC_SMTP_URL !== undefined && runs(SVC_ROLE, "api")) {
    throw missing(
      ["SVC_SECRET_KEYS"],
      "is required where mail is sent (SVC_SMTP_URL): without it no link in a mail opens. Set it as the pipeline has it",
    );
  }
  return keys;
}

/** Nobody's production goes down because of a variable that was left set. */
function failpoints(named: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  return environment["NODE_ENV"] === "test" ? named : undefined;
}

/** What the CLI needs of it. */
export interface OperatorConfig {
  cell: string;
  databaseUrl: string;
  exportDatabaseUrl: string;
  /** Only for what is shown: without it an example names no host. */
  publicUrl: string | undefined;
  /** Only for commands about webhooks and mail. */
  secretKeys: [SecretKey, ...SecretKey[]] | undefined;
  receiverRules: ReceiverRules;
  dnsServers: string[];
}

/**
 * @param developmentFile read when SVC_DATABASE_URL is not set: `npm run dev` leaves the settings
 *   of its database there, so that `npx svc` works beside it.
 */
export function readOperatorConfig(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): OperatorConfig {
  const { SVC_PUBLIC_URL, ...needed } = Environment.pick({
    SVC_CELL: true,
    SVC_DATABASE_URL: true,
    SVC_EXPORT_DATABASE_URL: true,
    SVC_PUBLIC_URL: true,
    SVC_SECRET_KEYS: true,
    SVC_WEBHOOK_PLAIN_HTTP: true,
    SVC_WEBHOOK_PRIVATE_ADDRESSES: true,
    SVC_DNS_SERVERS: true,
  }).shape;
  const env = parse(
    z.object({
      ...needed,
      SVC_PUBLIC_URL: SVC_PUBLIC_URL.optional().catch(undefined),
    }),
    withDevelopment(developmentFile, environment),
  );
  return {
    cell: env.SVC_CELL,
    databaseUrl: env.SVC_DATABASE_URL,
    exportDatabaseUrl: env.SVC_EXPORT_DATABASE_URL,
    publicUrl: env.SVC_PUBLIC_URL,
    secretKeys: env.SVC_SECRET_KEYS,
    receiverRules: receiverRules(env),
    dnsServers: env.SVC_DNS_SERVERS,
  };
}

/** Models alone: who only asks one needs no database. */
export function readModelSettings(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): Record<"conversation" | "evaluation", ModelSettings | undefined> {
  const env = parse(z.object(modelVariables), withDevelopment(developmentFile, environment));
  return { conversation: modelSettings(conversing(env)), evaluation: modelSettings(env) };
}

/** Where the SDK is served from; undefined in a role that serves none. */
export function readSdkFolder(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const { SVC_ROLE, SVC_SDK_DIR } = parse(
    Environment.pick({ SVC_ROLE: true, SVC_SDK_DIR: true }),
    withDevelopment(developmentFile, environment),
  );
  return runs(SVC_ROLE, "api") ? (SVC_SDK_DIR ?? BUILT_SDK) : undefined;
}

/** Speech alone, which can be tried where nothing else is set. */
export function readSpeechSettings(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): SpeechSettings | undefined {
  return wholeSpeech(
    parse(z.object(speechVariables), withDevelopment(developmentFile, environment)),
  );
}

/** Mail alone: an operator who may not read its key can still do everything else. */
export function readMailSettings(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): MailSettings | undefined {
  return wholeMail(parse(z.object(mailVariables), withDevelopment(developmentFile, environment)));
}

/** What keeps the server from starting with these settings. */
export function configProblems(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): ConfigProblem[] {
  try {
    readConfig(withDevelopment(developmentFile, environment));
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function parse<T>(schema: z.ZodType<T>, environment: NodeJS.ProcessEnv): T {
  // An empty variable is an unset one: compose files and charts write `NAME=` for "not given".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given, { error: inWords });
  if (!parsed.success) throw new ConfigError(parsed.error);
  return parsed.data;
}

/** Where a variable has no words of its own: zod's speak of types, and these follow a name. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "too_small")
    return `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code !== "invalid_type") return undefined;
  if (issue.expected === "int") return "must be a whole number";
  return issue.expected === "number" ? "must be a number" : undefined;
}

/** What may be logged at start: addresses of databases without their passwords. */
export function redactedConfig(config: Config): Record<string, unknown> {
  return {
    ...config,
    databaseUrl: withoutPassword(config.databaseUrl),
    exportDatabaseUrl: withoutPassword(config.exportDatabaseUrl),
    conversation: config.conversation && {
      ...config.conversation,
      models: withoutKeys(config.conversation.models),
      speech: config.conversation.speech && {
        hearing: withoutKeys(config.conversation.speech.hearing),
        voice: withoutKeys(config.conversation.speech.voice),
      },
    },
    models: config.models && withoutKeys(config.models),
    webhooks: config.webhooks && {
      ...config.webhooks,
      secretKeys: config.webhooks.secretKeys.map(({ id }) => id),
    },
    secretKeys: config.secretKeys?.map(({ id }) => id),
    mail: config.mail && withoutMailSecrets(config.mail),
  };
}

/** Each variable with its meaning and default, for the docs and for people. */
export function describeConfig(): { name: string; default: string; meaning: string }[] {
  return Object.entries(Environment.shape).map(([name, schema]) => {
    const unset = schema.safeParse(undefined);
    return {
      name,
      default: unset.success ? String(asWritten(unset.data)) : "required",
      meaning: schema.description ?? "",
    };
  });
}

export interface ConfigProblem {
  name: string;
  /** Follows the name in a sentence: "is required". */
  problem: string;
  meaning: string;
}

/** Lists every variable at fault at once, and never its value: it may be a secret. */
export class ConfigError extends Error {
  readonly problems: ConfigProblem[];

  constructor(error: z.ZodError) {
    const problems = error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return { name, problem: message, meaning: meaningOf(name) };
    });
    const isIncomplete = problems.every(({ problem }) => problem.startsWith("is required"));
    const lines = problems.map(({ name, problem }) => `  ${name}: ${problem}`);
    super(
      `The configuration ${isIncomplete ? "is not complete" : "has mistakes"}.\n${lines.join("\n")}\nSet these variables and start again; docs/operate/configuration.md lists them all.`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

function meaningOf(name: string): string {
  return describeConfig().find((variable) => variable.name === name)?.meaning ?? "";
}

function asWritten(value: unknown): unknown {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value instanceof Map) return "none";
  return Array.isArray(value) ? value.join(",") || "none" : (value ?? "none");
}
