import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import * as z from "zod";
import { CELL } from "#platform";
import type { LogLevel } from "#platform";

/**
 * Everything the server can be told, in one place. Nothing else reads the environment.
 * Names, defaults and meanings are also the table in docs/operate/configuration.md.
 */
const Environment = z.object({
  SVC_ROLE: z
    .enum(["api", "all"])
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
  SVC_PUBLIC_URL: z
    .url({
      protocol: /^https?$/,
      error: ({ input }) =>
        input === undefined ? "is required" : "must look like https://api.example.com",
    })
    .transform((url) => url.replace(/\/+$/, ""))
    .describe("The address customers use for the REST API, as it stands in Link headers"),
  SVC_TRUSTED_PROXIES: list()
    .default([])
    .describe("Addresses or ranges of proxies whose X-Forwarded-For counts, separated by commas"),
  SVC_LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("How much is logged"),
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
    .describe("Most connections of this process"),
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

export interface Config {
  role: "api" | "all";
  cell: string;
  databaseUrl: string;
  exportDatabaseUrl: string;
  migrate: boolean;
  host: string;
  port: number;
  opsHost: string;
  opsPort: number;
  publicUrl: string;
  trustedProxies: string[];
  logLevel: LogLevel;
  shutdownMs: number;
  databaseConnections: number;
  exportConnections: number;
  exportMemoryBytes: number;
  exportRate: number;
  exportBurst: number;
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
    trustedProxies: env.SVC_TRUSTED_PROXIES,
    logLevel: env.SVC_LOG_LEVEL,
    shutdownMs: env.SVC_SHUTDOWN_SECS * 1_000,
    databaseConnections: env.SVC_DATABASE_CONNECTIONS,
    exportConnections: env.SVC_EXPORT_CONNECTIONS,
    exportMemoryBytes: env.SVC_EXPORT_MEMORY_MB * 1_048_576,
    exportRate: env.SVC_EXPORT_RATE,
    exportBurst: env.SVC_EXPORT_BURST,
  };
}

/** What the CLI needs of it. */
export interface OperatorConfig {
  cell: string;
  databaseUrl: string;
  exportDatabaseUrl: string;
  /** Only for what is shown: without it an example names no host. */
  publicUrl: string | undefined;
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
  }).shape;
  const env = parse(
    z.object({ ...needed, SVC_PUBLIC_URL: SVC_PUBLIC_URL.optional().catch(undefined) }),
    withDevelopment(developmentFile, environment),
  );
  return {
    cell: env.SVC_CELL,
    databaseUrl: env.SVC_DATABASE_URL,
    exportDatabaseUrl: env.SVC_EXPORT_DATABASE_URL,
    publicUrl: env.SVC_PUBLIC_URL,
  };
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

function withDevelopment(file: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (environment["SVC_DATABASE_URL"] !== undefined || !existsSync(file)) return environment;
  return { ...environment, ...parseEnv(readFileSync(file, "utf8")) };
}

function parse<T>(schema: z.ZodType<T>, environment: NodeJS.ProcessEnv): T {
  // An empty variable is an unset one: compose files and charts write `NAME=` for "not given".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error);
  return parsed.data;
}

/** What may be logged at start: addresses of databases without their passwords. */
export function redactedConfig(config: Config): Record<string, unknown> {
  return {
    ...config,
    databaseUrl: withoutPassword(config.databaseUrl),
    exportDatabaseUrl: withoutPassword(config.exportDatabaseUrl),
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
    const lines = problems.map(({ name, problem }) => `  ${name}: ${problem}`);
    super(
      `The configuration is not complete.\n${lines.join("\n")}\nSet these variables and start again; docs/operate/configuration.md lists them all.`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

function meaningOf(name: string): string {
  return describeConfig().find((variable) => variable.name === name)?.meaning ?? "";
}

function databaseUrl(): z.ZodString {
  const shape = "must look like postgres://user:password@host:5432/database";
  return z
    .string({ error: "is required" })
    .regex(/^postgres(?:ql)?:\/\/[^@/]+@/, shape)
    .refine((url) => URL.canParse(url), shape);
}

function onOff(): z.ZodType<boolean, "on" | "off"> {
  return z.enum(["on", "off"]).transform((word) => word === "on");
}

function port(): z.ZodType<number> {
  return z.coerce.number().int().min(0).max(65_535);
}

function list(): z.ZodType<string[], string> {
  return z.string().transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );
}

function asWritten(value: unknown): unknown {
  if (typeof value === "boolean") return value ? "on" : "off";
  return Array.isArray(value) ? value.join(",") || "none" : value;
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  if (parsed.password !== "") parsed.password = "redacted";
  // `pg` takes settings behind the question mark too, the password among them.
  parsed.search = "";
  return parsed.href;
}
