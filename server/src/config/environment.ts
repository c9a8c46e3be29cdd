import { modelVariables } from "#models";
import type { ModelVariables } from "#models";
import { isIP, isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import * as z from "zod";
import {
  CELL,
  databaseUrl,
  httpUrl,
  list,
  mailVariables,
  onOff,
  port,
  secretKeys,
  serviceNames,
  speechVariables,
} from "#platform";
import type { LogLevel, MailVariables, SecretKey, ServiceNames, SpeechVariables } from "#platform";
import { fileVariableOf } from "./secret-files.ts";

/**
 * Every variable of the environment that the server knows, with its default and its meaning. The
 * table in docs/operate/configuration.md is made from it.
 */
export const Environment: z.ZodObject<{
  [Name in keyof EnvironmentValues]: z.ZodType<EnvironmentValues[Name]>;
}> = z.object({
  SVC_ROLE: z
    .enum(["api", "live", "pipeline", "all"])
    .default("all")
    .describe("Which part of the service this process runs"),
  SVC_INSTANCE: z
    .string()
    .regex(/^[\w.:@/-]{1,100}$/, "must be letters, digits and . : @ / _ - only, at most 100")
    .optional()
    .describe(
      "The name of this process in logs, traces and `svc status`; by default its host's name and its process id",
    ),
  SVC_COMMIT: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "must be a commit's id")
    .optional()
    .describe("The commit that this release was built from, shown with its version"),
  SVC_OPERATOR: z
    .string()
    .regex(
      /^[^\p{C}\p{Z}](?:[^\p{C}\p{Zl}\p{Zp}]{0,98}[^\p{C}\p{Z}])?$/u,
      "must be a name on one line, at most 100 characters",
    )
    .optional()
    .describe("Your name in the audit when you run `svc`; by default that of the machine's user"),
  SVC_SERVER: z
    .string()
    .optional()
    .describe("The server that `svc` asks in place of the database, as with `--server`"),
  SVC_SERVER_TOKEN: z
    .string()
    .optional()
    .describe("Your token for that server, from your page in its console"),
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
  SVC_DATABASE_WAIT_SECS: z.coerce
    .number()
    .min(0)
    .max(3600)
    .default(60)
    .describe("How long a starting process waits for PostgreSQL before it gives up"),
  SVC_MIGRATE: onOff().default(true).describe("Run migrations at start"),
  SVC_HOST: z.string().default("0.0.0.0").describe("Address to listen on"),
  SVC_PORT: port().default(8080).describe("Port for customers and browsers; 0 takes a free one"),
  SVC_OPS_HOST: z.string().default("127.0.0.1").describe("Address of the operations port"),
  SVC_OPS_PORT: port()
    .default(9464)
    .describe("Port for health, readiness and metrics; keep it inside"),
  SVC_SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be mailto:… or https://…")
    .optional()
    .describe("Where people report vulnerabilities; served in /.well-known/security.txt"),
  SVC_RECIPIENTS: serviceNames()
    .default(new Map())
    .describe(
      'Who is behind the hosts that get what visitors say, for the page that visitors read, as JSON: `{"api.example.com": {"name": "Example Ltd, Dublin", "days": 30, "privacy": "https://example.com/privacy"}}`. `days` is how long they keep it. Your own name under the host of SVC_PUBLIC_URL',
    ),
  SVC_OIDC_ISSUER: z
    .url()
    .regex(
      /^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost)[:/])/,
      "must look like https://login.example.com",
    )
    .optional()
    .describe("An OpenID Connect provider whose people may sign in to the console, once let in"),
  SVC_OIDC_CLIENT_ID: z
    .string()
    .optional()
    .describe("The console's client id there; its redirect address is /console/oidc/callback"),
  SVC_OIDC_CLIENT_SECRET: z.string().optional().describe("The console's client secret there"),
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
  SVC_PUBLIC_RATE_FACTOR: z.coerce
    .number()
    .min(0)
    .max(1000)
    .default(1)
    .describe(
      "Multiplies the rate limits of the routes that need no token, per address; 0 switches them off",
    ),
  SVC_CONNECTIONS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(200)
    .describe("Most connections at once from one address, trusted proxies apart; 0 is no limit"),
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
    .max(3_600)
    .optional()
    .describe(
      "How long a stopping process may finish what it has begun; by default 600 where it holds conversations (`live`, `all`), 15 otherwise",
    ),
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
  SVC_LIVEKIT_URL: z
    .url({ protocol: /^wss?$/, error: "must look like wss://livekit.example.com" })
    .optional()
    .describe(
      "A LiveKit server that carries the sound of calls over WebRTC, as browsers and the role live reach it; without it sound goes over the session's socket",
    ),
  SVC_LIVEKIT_KEY: z.string().optional().describe("The name of an API key of that server"),
  SVC_LIVEKIT_SECRET: z.string().optional().describe("The API key's secret"),
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
      "Keys that seal webhook secrets and sign the links in mails: k2:…,k1:…, each the base64 of 32 random bytes. The first one seals and signs, all of them open; add a new one last, and put it first once every process has it. Needed by the pipeline, by api for those links, and by live to know which visitors will be mailed",
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
  SVC_EGRESS_FORBID: list()
    .refine(
      (all) => all.every((range) => ipaddr.isValidCIDR(range)),
      "must look like 203.0.114.0/24 or 2001:db8::/32: ranges, not addresses",
    )
    .default([])
    .describe(
      "Ranges that requests to receivers never go to, such as your own public addresses, beside all that is not public",
    ),
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

/** The parsed environment variables. */
export type EnvironmentValues = ServerVariables & ModelVariables & SpeechVariables & MailVariables;

type ServerVariables = {
  SVC_ROLE: "api" | "live" | "pipeline" | "all";
  SVC_LOG_LEVEL: LogLevel;
  SVC_SECRET_KEYS: [SecretKey, ...SecretKey[]] | undefined;
  SVC_SHUTDOWN_SECS: number | undefined;
  SVC_RECIPIENTS: ServiceNames;
} & Record<
  | "SVC_CELL"
  | "SVC_DATABASE_URL"
  | "SVC_EXPORT_DATABASE_URL"
  | "SVC_HOST"
  | "SVC_OPS_HOST"
  | "SVC_PUBLIC_URL",
  string
> &
  Record<
    | "SVC_INSTANCE"
    | "SVC_COMMIT"
    | "SVC_OPERATOR"
    | "SVC_SERVER"
    | "SVC_SERVER_TOKEN"
    | "SVC_LIVE_URL"
    | "SVC_SDK_DIR"
    | "SVC_SECURITY_CONTACT"
    | "SVC_OIDC_ISSUER"
    | "SVC_OIDC_CLIENT_ID"
    | "SVC_OIDC_CLIENT_SECRET"
    | "SVC_TRACES_URL"
    | "SVC_LIVEKIT_URL"
    | "SVC_LIVEKIT_KEY"
    | "SVC_LIVEKIT_SECRET"
    | "SVC_FAILPOINTS",
    string | undefined
  > &
  Record<"SVC_TRUSTED_PROXIES" | "SVC_DNS_SERVERS" | "SVC_EGRESS_FORBID", string[]> &
  Record<"SVC_MIGRATE" | "SVC_WEBHOOK_PLAIN_HTTP" | "SVC_WEBHOOK_PRIVATE_ADDRESSES", boolean> &
  Record<
    | "SVC_PORT"
    | "SVC_OPS_PORT"
    | "SVC_DATABASE_WAIT_SECS"
    | "SVC_PUBLIC_RATE_FACTOR"
    | "SVC_CONNECTIONS_PER_ADDRESS"
    | "SVC_DATABASE_CONNECTIONS"
    | "SVC_LIVE_CAPACITY"
    | "SVC_EVALUATE_AT_ONCE"
    | "SVC_EVALUATE_WITHIN_SECS"
    | "SVC_REEVALUATE_RATE"
    | "SVC_DELIVER_AT_ONCE"
    | "SVC_WEBHOOK_RETRY_SECS"
    | "SVC_DELIVERY_KEEP_DAYS"
    | "SVC_EXPORT_CONNECTIONS"
    | "SVC_EXPORT_MEMORY_MB"
    | "SVC_EXPORT_RATE"
    | "SVC_EXPORT_BURST",
    number
  >;

/** True for what both the HTTP API and the live socket can compare a peer's address with. */
function isAddressOrRange(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  if (isIP(address) === 0 || address.includes("%") || more.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

/** Returns whether Node's resolver accepts the text. Port 0, which would end the process, and ports above 65535, which it wraps around, are refused. */
function isNameServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const { v4 = "", v6 = "", at = "53" } = NAME_SERVER.exec(text)?.groups ?? {};
  return (isIPv4(v4) || isIPv6(v6)) && Number(at) >= 1 && Number(at) <= 65_535;
}

const NAME_SERVER = /^(?:(?<v4>[^:[\]]+)|\[(?<v6>[^[\]]+)\])(?::(?<at>\d{1,5}))?$/;

/** Each variable with its meaning and default, for the docs and for people. */
export function describeConfig(): {
  name: string;
  /** Names a file with the value instead, where the value may be a secret. */
  fileVariable?: string;
  default: string;
  meaning: string;
}[] {
  return Object.entries(Environment.shape).map(([name, schema]) => {
    const unset = schema.safeParse(undefined);
    const fileVariable = fileVariableOf(name);
    return {
      name,
      ...(fileVariable && { fileVariable }),
      default: unset.success ? String(asWritten(unset.data)) : "required",
      meaning: schema.description ?? "",
    };
  });
}

function asWritten(value: unknown): unknown {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (value instanceof Map) return "none";
  return Array.isArray(value) ? value.join(",") || "none" : (value ?? "none");
}
