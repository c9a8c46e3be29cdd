import {
  embeddingSettings,
  modelSettings,
  modelVariables,
  talkModelSettings,
  unusedModelNames,
} from "#models";
import type { EmbeddingPlace, ModelPrice, ModelSettings, TalkModelSettings } from "#models";
import * as z from "zod";
import { mailVariables, speechVariables } from "#platform";
import type { MailSettings, SecretKey, SpeechSettings } from "#platform";
import { Environment } from "./config/environment.ts";
import { ConfigError, parseEnvironment } from "./config/parse-environment.ts";
import type { ConfigProblem } from "./config/parse-environment.ts";
import {
  completeMail,
  completeSpeech,
  connectionsOf,
  liveUrlAt,
  receiverRules,
  sdkFolderOf,
  toConfig,
} from "./config/server-config.ts";
import type { Config, ReceiverRules } from "./config/server-config.ts";
import { withDevelopment } from "./config/with-development.ts";

export { describeConfig } from "./config/environment.ts";
export { ConfigError } from "./config/parse-environment.ts";
export { servicesOf } from "./config/services-of.ts";
export { redactedConfig } from "./config/redacted-config.ts";
export { QUEUE_CONNECTIONS, type Config } from "./config/server-config.ts";

/**
 * The only reader of the environment, and the only entry to what `config/` makes of it. The
 * command line reads parts of it: a person who may not read one setting can still do the rest.
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const isTest = environment["NODE_ENV"] === "test";
  return toConfig(parseEnvironment(Environment, environment), isTest);
}

/** The configuration of the command line. */
export interface OperatorConfig {
  cell: string;
  /** Used for output and by the doctor: without it, examples name no host. */
  publicUrl: string | undefined;
  liveUrl: string | undefined;
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
  const { SVC_PUBLIC_URL, SVC_LIVE_URL, ...needed } = Environment.pick({
    SVC_CELL: true,
    SVC_PUBLIC_URL: true,
    SVC_LIVE_URL: true,
    SVC_SECRET_KEYS: true,
    SVC_WEBHOOK_PLAIN_HTTP: true,
    SVC_WEBHOOK_PRIVATE_ADDRESSES: true,
    SVC_EGRESS_FORBID: true,
    SVC_DNS_SERVERS: true,
  }).shape;
  const env = parseEnvironment(
    z.object({
      ...needed,
      SVC_PUBLIC_URL: SVC_PUBLIC_URL.optional().catch(undefined),
      SVC_LIVE_URL: SVC_LIVE_URL.catch(undefined),
    }),
    withDevelopment(developmentFile, environment),
  );
  return {
    cell: env.SVC_CELL,
    publicUrl: env.SVC_PUBLIC_URL,
    liveUrl: env.SVC_LIVE_URL ?? (env.SVC_PUBLIC_URL && liveUrlAt(env.SVC_PUBLIC_URL)),
    secretKeys: env.SVC_SECRET_KEYS,
    receiverRules: receiverRules(env),
    dnsServers: env.SVC_DNS_SERVERS,
  };
}

/** Who runs the command line, where they said so, and which release it is. */
export function readInvocation(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): { operator: string | undefined; commit: string | undefined } {
  const env = parseEnvironment(
    Environment.pick({ SVC_OPERATOR: true, SVC_COMMIT: true }),
    withDevelopment(developmentFile, environment),
  );
  return { operator: env.SVC_OPERATOR, commit: env.SVC_COMMIT };
}

/** The server that the command line asks in place of the database. */
export function readServerToAsk(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): { url: string | undefined; token: string | undefined } {
  const env = parseEnvironment(
    Environment.pick({ SVC_SERVER: true, SVC_SERVER_TOKEN: true }),
    withDevelopment(developmentFile, environment),
  );
  return { url: env.SVC_SERVER, token: env.SVC_SERVER_TOKEN };
}

/** One address alone: a mistake in another setting must not keep a command from the database. */
export function readDatabaseUrl(
  name: "SVC_DATABASE_URL" | "SVC_EXPORT_DATABASE_URL",
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): string {
  const schema = z.object({ [name]: Environment.shape[name] });
  return parseEnvironment(schema, withDevelopment(developmentFile, environment))[name]!;
}

/** Returns the most connections that a process of that role opens with these settings. */
export function readConnectionsOf(
  role: Config["role"],
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): number {
  const env = parseEnvironment(
    Environment.pick({ SVC_DATABASE_CONNECTIONS: true, SVC_EXPORT_CONNECTIONS: true }),
    withDevelopment(developmentFile, environment),
  );
  return connectionsOf(role, {
    databaseConnections: env.SVC_DATABASE_CONNECTIONS,
    exportConnections: env.SVC_EXPORT_CONNECTIONS,
  });
}

/**
 * Models alone: a command that only asks a model needs no database.
 *
 * @param named takes the place of the first of each, with its own price and preset.
 */
export function readModelSettings(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
  named?: string,
): {
  conversation: TalkModelSettings | undefined;
  evaluation: ModelSettings | undefined;
  embeddings: EmbeddingPlace | undefined;
} {
  const set = parseEnvironment(
    z.object(modelVariables),
    withDevelopment(developmentFile, environment),
  );
  const env = {
    ...set,
    ...(named !== undefined && { SVC_EVALUATION_MODEL: named, SVC_CONVERSATION_MODEL: named }),
  };
  return {
    conversation: talkModelSettings(env),
    evaluation: modelSettings(env),
    embeddings: embeddingSettings(env),
  };
}

/** The names in settings about single models that no model in use has. */
export function readUnusedModelNames(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): ReturnType<typeof unusedModelNames> {
  return unusedModelNames(
    parseEnvironment(z.object(modelVariables), withDevelopment(developmentFile, environment)),
  );
}

/** The prices that are set, by the model's name. */
export function readModelPrices(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): ReadonlyMap<string, ModelPrice> {
  const { SVC_MODEL_PRICES: prices } = modelVariables;
  return parseEnvironment(
    z.object({ SVC_MODEL_PRICES: prices }),
    withDevelopment(developmentFile, environment),
  ).SVC_MODEL_PRICES;
}

/** Returns the folder that the SDK is served from; undefined in a role that serves none. */
export function readSdkFolder(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  return sdkFolderOf(
    parseEnvironment(
      Environment.pick({ SVC_ROLE: true, SVC_SDK_DIR: true }),
      withDevelopment(developmentFile, environment),
    ),
  );
}

/** Speech alone, which can be tried where nothing else is set. */
export function readSpeechSettings(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): SpeechSettings | undefined {
  return completeSpeech(
    parseEnvironment(z.object(speechVariables), withDevelopment(developmentFile, environment)),
  );
}

/** Mail alone: an operator who may not read its key can still do everything else. */
export function readMailSettings(
  developmentFile: string,
  environment: NodeJS.ProcessEnv = process.env,
): MailSettings | undefined {
  return completeMail(
    parseEnvironment(z.object(mailVariables), withDevelopment(developmentFile, environment)),
  );
}

/** Returns the problems that keep the server from starting with these settings. */
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
