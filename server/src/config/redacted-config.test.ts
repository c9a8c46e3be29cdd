import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeConfig, Environment } from "./environment.ts";
import { parseEnvironment } from "./parse-environment.ts";
import { redactedConfig } from "./redacted-config.ts";
import { toConfig } from "./server-config.ts";
import type { Config } from "./server-config.ts";

/** Stands wherever a setting can hold a secret. */
const SECRET = "planted";
const CREDENTIALS = `user-${SECRET}:${SECRET}`;
const BEHIND_THE_PATH = `?key=${SECRET}#${SECRET}`;
const RAW_KEY = Buffer.from(SECRET.padEnd(32, "!"));

function ofAnotherService(scheme: string): string {
  return `${scheme}://${CREDENTIALS}@service.example/${SECRET}/v1${BEHIND_THE_PATH}`;
}

/** The path of our own addresses is what every customer sees. */
function ofOurs(scheme: string): string {
  return `${scheme}://${CREDENTIALS}@ours.example/base${BEHIND_THE_PATH}`;
}

function ofDatabase(role: string): string {
  return `postgres://${role}:${SECRET}@db.example:5432/svc?password=${SECRET}#${SECRET}`;
}

function planted(keyFile: string): Record<string, string> {
  return {
    SVC_DATABASE_URL: ofDatabase("svc"),
    SVC_EXPORT_DATABASE_URL: ofDatabase("svc_export"),
    SVC_PUBLIC_URL: ofOurs("https"),
    SVC_LIVE_URL: ofOurs("wss"),
    SVC_TRACES_URL: ofAnotherService("https"),
    SVC_MODEL_URL: ofAnotherService("https"),
    SVC_MODEL_KEY: SECRET,
    SVC_OIDC_CLIENT_SECRET: SECRET,
    SVC_LIVEKIT_URL: ofAnotherService("wss"),
    SVC_LIVEKIT_KEY: SECRET,
    SVC_LIVEKIT_SECRET: SECRET,
    SVC_FALLBACK_MODEL_URL: ofAnotherService("http"),
    SVC_FALLBACK_MODEL_KEY: SECRET,
    SVC_EMBEDDINGS_URL: ofAnotherService("https"),
    SVC_EMBEDDINGS_KEY: SECRET,
    SVC_MODEL_BODY: JSON.stringify({ large: { metadata: { gateway: SECRET } } }),
    SVC_STT_URL: ofAnotherService("wss"),
    SVC_STT_KEY: SECRET,
    SVC_TTS_URL: ofAnotherService("https"),
    SVC_TTS_KEY: SECRET,
    SVC_FALLBACK_STT_URL: ofAnotherService("https"),
    SVC_FALLBACK_STT_KEY: SECRET,
    SVC_FALLBACK_TTS_URL: ofAnotherService("wss"),
    SVC_FALLBACK_TTS_KEY: SECRET,
    SVC_SECRET_KEYS: `k1:${RAW_KEY.toString("base64")}`,
    SVC_SERVER_TOKEN: SECRET,
    SVC_SMTP_URL: ofAnotherService("smtps"),
    SVC_DKIM_KEY_FILE: keyFile,
  };
}

/** Numbers, switches, and names that are no secret to whoever reads the log. */
const HARMLESS: Record<string, string> = {
  SVC_ROLE: "all",
  SVC_INSTANCE: "live-1",
  SVC_COMMIT: "0a1b2c3",
  SVC_OPERATOR: "ada",
  SVC_SERVER: "https://svc.example.com",
  SVC_CELL: "b2",
  SVC_DATABASE_WAIT_SECS: "6",
  SVC_MIGRATE: "off",
  SVC_HOST: "::1",
  SVC_PORT: "1",
  SVC_OPS_HOST: "10.0.0.1",
  SVC_OPS_PORT: "2",
  SVC_SDK_DIR: "/srv/sdk",
  SVC_TRUSTED_PROXIES: "10.0.0.0/8",
  SVC_LOG_LEVEL: "warn",
  SVC_SHUTDOWN_SECS: "3",
  SVC_DATABASE_CONNECTIONS: "4",
  SVC_EXPORT_CONNECTIONS: "5",
  SVC_EXPORT_MEMORY_MB: "16",
  SVC_EXPORT_RATE: "7",
  SVC_EXPORT_BURST: "8",
  SVC_EVALUATION_MODEL: "large",
  SVC_EVALUATION_FALLBACK_MODEL: "small",
  SVC_CONVERSATION_MODEL: "quick",
  SVC_CONVERSATION_FALLBACK_MODEL: "quicker",
  SVC_MODEL_AT_ONCE: "19",
  SVC_ACCOUNT_SHARE: "0.5",
  SVC_MODEL_TIMEOUT_SECS: "9",
  SVC_MODEL_FIRST_WORD_SECS: "2",
  SVC_MODEL_IDLE_SECS: "1.5",
  SVC_MODEL_WHOLE_SECS: "40",
  SVC_MODEL_PRICES: "small=10/11",
  SVC_MODEL_PRESETS: "small=llama.cpp",
  SVC_STT: "deepgram",
  SVC_STT_MODEL: "heard",
  SVC_STT_PRICE: "1",
  SVC_TTS: "cartesia",
  SVC_TTS_MODEL: "clear",
  SVC_TTS_VOICE: "ada",
  SVC_VERIFIER_MODEL: "off",
  SVC_EMBEDDINGS_MODEL: "near",
  SVC_TTS_PRICE: "2",
  SVC_FALLBACK_STT: "openai",
  SVC_FALLBACK_STT_MODEL: "whisper",
  SVC_FALLBACK_TTS: "elevenlabs",
  SVC_FALLBACK_TTS_MODEL: "flash",
  SVC_FALLBACK_TTS_VOICE: "bo",
  SVC_LIVE_CAPACITY: "18",
  SVC_PUBLIC_RATE_FACTOR: "19",
  SVC_CONNECTIONS_PER_ADDRESS: "20",
  SVC_EVALUATE_AT_ONCE: "12",
  SVC_EVALUATE_WITHIN_SECS: "13",
  SVC_REEVALUATE_RATE: "14",
  SVC_DELIVER_AT_ONCE: "15",
  SVC_WEBHOOK_PLAIN_HTTP: "on",
  SVC_WEBHOOK_PRIVATE_ADDRESSES: "on",
  SVC_WEBHOOK_RETRY_SECS: "16",
  SVC_DELIVERY_KEEP_DAYS: "17",
  SVC_DNS_SERVERS: "10.0.0.53",
  SVC_SECURITY_CONTACT: "mailto:security@example.com",
  SVC_RECIPIENTS: '{"service.example": {"name": "Example Ltd"}}',
  SVC_OIDC_ISSUER: "https://login.example.com",
  SVC_OIDC_CLIENT_ID: "console",
  SVC_EGRESS_FORBID: "203.0.114.0/24",
  SVC_FAILPOINTS: "sweep:settling=err",
  SVC_MAIL_FROM: "hello@example.com",
  SVC_SMTP_TLS: "on",
  SVC_DKIM_DOMAIN: "example.com",
  SVC_DKIM_SELECTOR: "s1",
};

function dkimKeyFile(): { path: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), "svc-redacted-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1_024 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const path = join(folder, "dkim.pem");
  writeFileSync(path, key);
  return { path, key };
}

function configOf(secrets: Record<string, string>): Config {
  const isTest = true;
  return toConfig(parseEnvironment(Environment, { ...secrets, ...HARMLESS }), isTest);
}

// S12
it("shows no secret of any setting that can hold one", () => {
  const dkim = dkimKeyFile();
  const secrets = planted(dkim.path);
  expect(Object.keys({ ...secrets, ...HARMLESS }).toSorted(), "a new setting: decide here").toEqual(
    describeConfig()
      .map(({ name }) => name)
      .toSorted(),
  );
  const config = configOf(secrets);
  // The control: all of it has arrived in the configuration.
  const all = JSON.stringify(config);
  const places = Object.values(secrets).join(" ").split(SECRET).length - 1;
  expect(all.split(SECRET).length - 1).toBeGreaterThanOrEqual(places);

  const text = JSON.stringify(redactedConfig(config));
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(RAW_KEY.toString("base64"));
  expect(text).not.toContain(JSON.stringify(RAW_KEY.toJSON().data));
  expect(text).not.toContain("PRIVATE KEY");
  expect(text).not.toContain(dkim.key.split("\n")[1]);
});

it("can take every secret from a file", () => {
  const { SVC_DKIM_KEY_FILE: key, ...secrets } = planted(dkimKeyFile().path);
  // Addresses: ours are public, and a provider's has its key beside it.
  const addresses = /^SVC_(?:PUBLIC|LIVE|(?:FALLBACK_)?(?:MODEL|STT|TTS)|EMBEDDINGS|LIVEKIT)_URL$/;
  const names = Object.keys(secrets).filter((name) => !addresses.test(name));
  const described = describeConfig().filter(({ fileVariable }) => fileVariable !== undefined);
  expect(described.map(({ name }) => name).toSorted()).toEqual(names.toSorted());

  const folder = mkdtempSync(join(tmpdir(), "svc-secret-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inFiles = Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => {
      if (addresses.test(name)) return [name, value];
      writeFileSync(join(folder, name), `${value}\n`);
      return [`${name}_FILE`, join(folder, name)];
    }),
  );
  const dkim = { SVC_DKIM_KEY_FILE: key! };
  expect(configOf({ ...inFiles, ...dkim })).toEqual(configOf({ ...secrets, ...dkim }));
});

it("shows what a person needs to tell one installation from another", () => {
  const config = configOf(planted(dkimKeyFile().path));
  expect(redactedConfig(config)).toMatchObject({
    role: "all",
    databaseUrl: "postgres://svc:redacted@db.example:5432/svc",
    exportDatabaseUrl: "postgres://svc_export:redacted@db.example:5432/svc",
    publicUrl: "https://ours.example/base",
    tracesUrl: "https://service.example",
    models: { first: { url: "https://service.example", key: true, name: "large" } },
    mail: { url: "smtps://service.example", dkim: { domain: "example.com", key: true } },
    secretKeys: ["k1"],
    failpoints: HARMLESS["SVC_FAILPOINTS"],
  });
});

it("has an entry for every setting", () => {
  const config = configOf(planted(dkimKeyFile().path));
  expect(Object.keys(redactedConfig(config)).toSorted()).toEqual(Object.keys(config).toSorted());
});
