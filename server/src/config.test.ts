import { generateKeyPairSync } from "node:crypto";
import { Resolver } from "node:dns";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PRESET_NAMES } from "#models";
import {
  ConfigError,
  describeConfig,
  readConfig,
  readModelSettings,
  readSdkFolder,
  readSpeechSettings,
  readUnusedModelNames,
  redactedConfig,
} from "./config.ts";

const REQUIRED = {
  SVC_DATABASE_URL: "postgres://svc:secret-1@db.example:5432/svc",
  SVC_EXPORT_DATABASE_URL: "postgres://svc_export:secret-2@db.example:5432/svc",
  SVC_PUBLIC_URL: "https://api.example.com/",
};
/** What the pipeline needs beside. */
const PIPELINE = {
  SVC_MODEL_URL: "https://models.example.com/v1",
  SVC_EVALUATION_MODEL: "large",
  SVC_SECRET_KEYS: `k1:${Buffer.alloc(32, "secret").toString("base64")}`,
};

const SPEECH = {
  SVC_STT: "deepgram",
  SVC_STT_URL: "https://ears.example.com/",
  SVC_STT_KEY: "key-1",
  SVC_STT_MODEL: "quick",
  SVC_STT_PRICE: "4300",
  SVC_TTS_PRICE: "30000",
  SVC_TTS: "cartesia",
  SVC_TTS_URL: "wss://voice.example.com",
  SVC_TTS_KEY: "key-2",
  SVC_TTS_MODEL: "clear",
  SVC_TTS_VOICE: "ada",
  SVC_VERIFIER_MODEL: "off",
};
const SPEECH_FALLBACK = {
  SVC_FALLBACK_STT: "openai",
  SVC_FALLBACK_STT_URL: "http://127.0.0.1:8000/v1",
  SVC_FALLBACK_STT_KEY: "key-3",
  SVC_FALLBACK_STT_MODEL: "whisper",
  SVC_FALLBACK_TTS: "elevenlabs",
  SVC_FALLBACK_TTS_URL: "https://second.example.com",
  SVC_FALLBACK_TTS_KEY: "key-4",
  SVC_FALLBACK_TTS_MODEL: "flash",
  SVC_FALLBACK_TTS_VOICE: "bo",
};

/** A file with a key for signing mail, for as long as the test runs. */
function keyFile(type: "rsa" | "ed25519" = "rsa"): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { privateKey } =
    type === "rsa"
      ? generateKeyPairSync(type, { modulusLength: 1_024 })
      : generateKeyPairSync(type);
  const path = join(folder, "dkim.pem");
  writeFileSync(path, privateKey.export({ type: "pkcs8", format: "pem" }));
  return path;
}

function faultsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return "";
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
}

const PRESETS = `presets are ${PRESET_NAMES.join(", ")}`;
const NO_BODY = `must be JSON such as {"some-model": {"reasoning_effort": "low"}}, without model, messages, stream, tools, tool_choice, n`;

describe("the configuration", () => {
  it("needs three variables for the export alone and has a default for the rest", () => {
    const config = readConfig({ ...REQUIRED, SVC_ROLE: "api" });
    expect(config).toMatchObject({
      role: "api",
      port: 8080,
      opsHost: "127.0.0.1",
      migrate: true,
      exportRate: 100,
      exportBurst: 1000,
    });
    expect(config.models).toBeUndefined();
    expect(config.webhooks).toBeUndefined();
  });

  it("needs a model and a key for secrets where the pipeline runs", () => {
    expect(readConfig({ ...REQUIRED, ...PIPELINE })).toMatchObject({ role: "all" });
    for (const name of Object.keys(PIPELINE)) {
      const message = faultsOf({ ...REQUIRED, ...PIPELINE, [name]: "" });
      expect(message).toContain(`  ${name}: is required, unless SVC_ROLE=api`);
    }
  });

  it("lets 30 seconds pass between the attempts of a webhook, unless another time is given", () => {
    const secs = (SVC_WEBHOOK_RETRY_SECS?: string) =>
      readConfig({ ...REQUIRED, ...PIPELINE, SVC_WEBHOOK_RETRY_SECS }).webhooks?.backoffMs;
    expect([secs(), secs("16")]).toEqual([30_000, 16_000]);
  });

  it("reads only what a role needs", () => {
    const { SVC_SECRET_KEYS: _, ...models } = PIPELINE;
    const live = readConfig({ ...REQUIRED, ...models, SVC_ROLE: "live" });
    expect(live.conversation?.models.first.name).toBe(PIPELINE.SVC_EVALUATION_MODEL);
    expect([live.models, live.webhooks]).toEqual([undefined, undefined]);
    expect(
      readConfig({ ...REQUIRED, ...PIPELINE, SVC_ROLE: "pipeline" }).conversation,
    ).toBeUndefined();
  });

  it("sends a key only to the address that it was given for", () => {
    const given = { ...REQUIRED, ...PIPELINE, SVC_MODEL_KEY: "one" };
    const fallback = { SVC_EVALUATION_FALLBACK_MODEL: "small" };
    const keyOf = (more: Record<string, string>): string | undefined =>
      readConfig({ ...given, ...fallback, ...more }).models?.fallback?.key;
    expect(keyOf({})).toBe("one");
    expect(keyOf({ SVC_FALLBACK_MODEL_URL: "https://other.example.com/v1" })).toBeUndefined();
    expect(keyOf({ SVC_FALLBACK_MODEL_KEY: "two" })).toBe("two");
  });

  it("takes whole speech or none, and says which half is missing", () => {
    const given = { ...REQUIRED, ...PIPELINE };
    const { SVC_STT, SVC_TTS } = SPEECH;
    expect(readConfig(given).conversation?.speech).toBeUndefined();
    expect(readConfig({ ...given, SVC_STT, SVC_TTS }).conversation?.speech).toMatchObject({
      hearing: { first: { provider: "deepgram", url: undefined }, fallback: undefined },
      voice: { first: { provider: "cartesia", url: undefined }, fallback: undefined },
    });
    expect(faultsOf({ ...given, SVC_STT })).toContain("  SVC_TTS: is required: to talk by voice");
    expect(faultsOf({ ...given, SVC_TTS })).toContain("  SVC_STT: is required: to talk by voice");
    expect(faultsOf({ ...given, SVC_FALLBACK_TTS: "openai" })).toContain("  SVC_STT: is required");
    expect(faultsOf({ ...given, SVC_STT: "ears", SVC_TTS })).toContain("SVC_STT: ");
    expect(faultsOf({ ...given, SVC_STT, SVC_TTS, SVC_TTS_URL: "ftp://x.example" })).toContain(
      "SVC_TTS_URL: must look like https://",
    );
    // A server that only answers customers needs neither.
    expect(faultsOf({ ...REQUIRED, SVC_ROLE: "api", SVC_STT })).toBe("");
  });

  it("reads speech alone for who only tries it", () => {
    expect(readSpeechSettings("none", SPEECH)?.voice.first.voice).toBe("ada");
    expect(readSpeechSettings("none", {})).toBeUndefined();
    expect(() => readSpeechSettings("none", { SVC_STT: "deepgram" })).toThrow(ConfigError);
  });

  it("reads models alone for who only asks one", () => {
    const { conversation, evaluation } = readModelSettings("none", {
      SVC_MODEL_URL: PIPELINE.SVC_MODEL_URL,
      SVC_CONVERSATION_MODEL: "quick",
    });
    expect(conversation?.first).toMatchObject({ name: "quick", url: PIPELINE.SVC_MODEL_URL });
    expect(evaluation).toBeUndefined();
    expect(() => readModelSettings("none", { SVC_MODEL_URL: "here" })).toThrow(ConfigError);
  });

  it("tells where the SDK is served from, in the roles that serve it", () => {
    expect(readSdkFolder("none", {})).toBe(readConfig({ ...REQUIRED, ...PIPELINE }).sdkFolder);
    expect(readSdkFolder("none", { SVC_ROLE: "api", SVC_SDK_DIR: "/srv/sdk" })).toBe("/srv/sdk");
    expect(readSdkFolder("none", { SVC_ROLE: "pipeline" })).toBeUndefined();
  });

  it("sends a key of speech only to the provider and address that it was given for", () => {
    const given = { ...REQUIRED, ...PIPELINE, ...SPEECH, SVC_FALLBACK_STT: "deepgram" };
    const keyOf = (more: Record<string, string>): string | undefined =>
      readConfig({ ...given, ...more }).conversation?.speech?.hearing.fallback?.key;
    expect(keyOf({})).toBeUndefined();
    expect(keyOf({ SVC_FALLBACK_STT_URL: SPEECH.SVC_STT_URL })).toBe("key-1");
    expect(
      keyOf({ SVC_FALLBACK_STT: "openai", SVC_FALLBACK_STT_URL: SPEECH.SVC_STT_URL }),
    ).toBeUndefined();
    expect(keyOf({ SVC_FALLBACK_STT_KEY: "key-3" })).toBe("key-3");
  });

  it("expects the socket beside the REST API, unless another address is given", () => {
    const liveUrl = (more: Record<string, string>): string =>
      readConfig({ ...REQUIRED, SVC_ROLE: "api", ...more }).liveUrl;
    expect(liveUrl({})).toBe("wss://api.example.com/sdk/v1/live");
    const atHome = liveUrl({ SVC_PUBLIC_URL: "http://localhost:8080" });
    expect(atHome).toBe("ws://localhost:8080/sdk/v1/live");
    expect(faultsOf({ ...REQUIRED, SVC_LIVE_URL: "https://live.example.com" })).toContain(
      "SVC_LIVE_URL: must look like wss://",
    );
  });

  it("knows the presets and bodies that are for no model in use", () => {
    const models = {
      SVC_MODEL_URL: "https://models.example.com/v1",
      SVC_EVALUATION_MODEL: "careful",
      SVC_CONVERSATION_MODEL: "fast",
      SVC_VERIFIER_MODEL: "small",
      SVC_CONVERSATION_FALLBACK_MODEL: "other",
      SVC_MODEL_PRESETS: "careful=openai,fast=openai,small=vllm,other=claude",
    };
    expect(readUnusedModelNames("none", models)).toEqual([]);
    const SVC_MODEL_BODY = '{"carefull": {"top_k": 1}}';
    const others = { SVC_CONVERSATION_MODEL: "quick", SVC_VERIFIER_MODEL: "off", SVC_MODEL_BODY };
    expect(readUnusedModelNames("none", { ...models, ...others })).toEqual([
      { variable: "SVC_MODEL_PRESETS", model: "fast" },
      { variable: "SVC_MODEL_PRESETS", model: "small" },
      { variable: "SVC_MODEL_BODY", model: "carefull" },
    ]);
  });

  it("reads prices by model, and explains how they are written", () => {
    const given = {
      ...REQUIRED,
      ...PIPELINE,
      SVC_MODEL_PRICES: "small=1/2, large=250000/2000000/25000",
    };
    const price = { input: 250_000, output: 2_000_000, cached: 25_000 };
    expect(readConfig(given).models?.first.price).toEqual(price);
    expect(faultsOf({ ...given, SVC_MODEL_PRICES: "large" })).toContain("must look like");
  });

  it("arms failpoints in tests alone", () => {
    const given = { ...REQUIRED, ...PIPELINE, SVC_FAILPOINTS: "sweep:settling=err" };
    expect(readConfig(given).failpoints).toBeUndefined();
    expect(readConfig({ ...given, NODE_ENV: "test" }).failpoints).toBe("sweep:settling=err");
  });

  it("takes every variable that it describes, and describes every setting", () => {
    const given = {
      ...REQUIRED,
      SVC_CELL: "b2",
      SVC_DATABASE_WAIT_SECS: "6",
      SVC_MIGRATE: "off",
      SVC_HOST: "::1",
      SVC_PORT: "1",
      SVC_OPS_HOST: "10.0.0.1",
      SVC_OPS_PORT: "2",
      SVC_LIVE_URL: "wss://live.example.com/sdk/v1/live",
      SVC_SDK_DIR: "/srv/sdk",
      SVC_TRUSTED_PROXIES: "10.0.0.0/8, 192.168.0.1,",
      SVC_LOG_LEVEL: "warn",
      SVC_TRACES_URL: "http://collector:4318/v1/traces",
      SVC_SHUTDOWN_SECS: "3",
      SVC_INSTANCE: "live-1",
      SVC_COMMIT: "0a1b2c3",
      SVC_DATABASE_CONNECTIONS: "4",
      SVC_EXPORT_CONNECTIONS: "5",
      SVC_EXPORT_MEMORY_MB: "16",
      SVC_EXPORT_RATE: "7",
      SVC_EXPORT_BURST: "8",
      ...PIPELINE,
      ...SPEECH,
      ...SPEECH_FALLBACK,
      SVC_ROLE: "all",
      SVC_LIVE_CAPACITY: "18",
      SVC_CONVERSATION_MODEL: "quick",
      SVC_EMBEDDINGS_URL: "https://near.example.com/v1",
      SVC_EMBEDDINGS_KEY: "k",
      SVC_EMBEDDINGS_MODEL: "near",
      SVC_CONVERSATION_FALLBACK_MODEL: "quicker",
      SVC_MODEL_KEY: "one",
      SVC_FALLBACK_MODEL_URL: "https://other.example.com/v1",
      SVC_FALLBACK_MODEL_KEY: "two",
      SVC_EVALUATION_FALLBACK_MODEL: "small",
      SVC_MODEL_AT_ONCE: "19",
      SVC_ACCOUNT_SHARE: "0.5",
      SVC_MODEL_TIMEOUT_SECS: "9",
      SVC_MODEL_FIRST_WORD_SECS: "2",
      SVC_MODEL_IDLE_SECS: "1.5",
      SVC_MODEL_WHOLE_SECS: "40",
      SVC_MODEL_PRICES: "small=10/11",
      SVC_MODEL_PRESETS: "small=llama.cpp",
      SVC_MODEL_BODY: '{"large":{"top_k":20}}',
      SVC_OPERATOR: "ada",
      SVC_SERVER: "https://svc.example.com",
      SVC_SERVER_TOKEN: "operator_x",
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
      SVC_RECIPIENTS: '{"api.example.com":{"name":"Example Ltd"}}',
      SVC_EGRESS_FORBID: "203.0.114.0/24",
      SVC_FAILPOINTS: "",
      SVC_SMTP_URL: "smtp://mail.example.com:2525",
      SVC_MAIL_FROM: "hello@example.com",
      SVC_SMTP_TLS: "off",
      SVC_DKIM_DOMAIN: "example.com",
      SVC_DKIM_SELECTOR: "s1",
      SVC_DKIM_KEY_FILE: keyFile(),
      SVC_OIDC_ISSUER: "https://login.example.com",
      SVC_OIDC_CLIENT_ID: "console",
      SVC_OIDC_CLIENT_SECRET: "any",
      SVC_LIVEKIT_URL: "wss://livekit.example.com",
      SVC_LIVEKIT_KEY: "svc",
      SVC_LIVEKIT_SECRET: "any",
    };
    expect(Object.keys(given).toSorted()).toEqual(
      describeConfig()
        .map(({ name }) => name)
        .toSorted(),
    );
    const patience = { firstTokenMs: 2_000, idleMs: 1_500, wholeMs: 40_000 };
    const each = { atOnce: 19, isShared: true, timeoutMs: 9_000, patience };
    expect(readConfig(given)).toEqual({
      role: "all",
      instance: "live-1",
      release: { version: expect.any(String), commit: "0a1b2c3" },
      cell: "b2",
      databaseUrl: REQUIRED.SVC_DATABASE_URL,
      exportDatabaseUrl: REQUIRED.SVC_EXPORT_DATABASE_URL,
      databaseWaitMs: 6_000,
      migrate: false,
      host: "::1",
      port: 1,
      opsHost: "10.0.0.1",
      opsPort: 2,
      publicUrl: "https://api.example.com",
      securityContact: "mailto:security@example.com",
      recipientNames: new Map([["api.example.com", { name: "Example Ltd" }]]),
      oidc: { issuer: "https://login.example.com", clientId: "console", clientSecret: "any" },
      embeddings: {
        url: "https://near.example.com/v1",
        key: "k",
        name: "near",
        price: { input: 0, output: 0 },
      },
      liveUrl: "wss://live.example.com/sdk/v1/live",
      livekitUrl: "wss://livekit.example.com",
      sdkFolder: "/srv/sdk",
      consoleFolder: expect.stringMatching(/console.dist$/),
      trustedProxies: ["10.0.0.0/8", "192.168.0.1"],
      publicRateFactor: 19,
      connectionsPerAddress: 20,
      logLevel: "warn",
      tracesUrl: "http://collector:4318/v1/traces",
      shutdown: { limitMs: 3_000, conversationsMs: 2_000, restMs: 3_000 },
      databaseConnections: 4,
      exportConnections: 5,
      exportMemoryBytes: 16 * 1_048_576,
      exportRate: 7,
      exportBurst: 8,
      conversation: {
        capacity: 18,
        livekit: { url: "wss://livekit.example.com", key: "svc", secret: "any" },
        models: {
          first: expect.objectContaining({ name: "quick", key: "one" }),
          fallback: expect.objectContaining({ name: "quicker", key: "two" }),
        },
        speech: {
          hearing: {
            first: {
              provider: "deepgram",
              url: "https://ears.example.com",
              key: "key-1",
              model: "quick",
            },
            fallback: {
              provider: "openai",
              url: "http://127.0.0.1:8000/v1",
              key: "key-3",
              model: "whisper",
            },
          },
          prices: { minuteHeard: 4_300, thousandCharactersSpoken: 30_000 },
          voice: {
            first: {
              provider: "cartesia",
              url: "wss://voice.example.com",
              key: "key-2",
              model: "clear",
              voice: "ada",
            },
            fallback: {
              provider: "elevenlabs",
              url: "https://second.example.com",
              key: "key-4",
              model: "flash",
              voice: "bo",
            },
          },
        },
      },
      models: {
        first: {
          url: "https://models.example.com/v1",
          key: "one",
          name: "large",
          ...each,
          price: { input: 0, output: 0 },
          isPriced: false,
          body: { top_k: 20 },
        },
        fallback: {
          url: "https://other.example.com/v1",
          key: "two",
          name: "small",
          ...each,
          price: { input: 10, output: 11 },
          isPriced: true,
          preset: "llama.cpp",
        },
      },
      accountShare: 0.5,
      evaluateAtOnce: 12,
      evaluateWithinSecs: 13,
      reevaluateRate: 14,
      receivers: { allowPlainHttp: true, allowPrivate: true, alsoForbidden: ["203.0.114.0/24"] },
      webhooks: {
        secretKeys: [{ id: "k1", key: Buffer.from("secretsecretsecretsecretsecretse") }],
        atOnce: 15,
        backoffMs: 16_000,
        keepDays: 17,
      },
      mail: {
        url: "smtp://mail.example.com:2525",
        from: { address: "hello@example.com" },
        tls: "off",
        dkim: { domain: "example.com", selector: "s1", key: expect.stringContaining("PRIVATE") },
      },
      secretKeys: [{ id: "k1", key: Buffer.from("secretsecretsecretsecretsecretse") }],
      dnsServers: ["10.0.0.53"],
      failpoints: undefined,
    });
  });

  it("takes addresses of name servers, and no names", () => {
    const given = { ...REQUIRED, ...PIPELINE };
    const right = "10.0.0.53, 10.0.0.53:5353,fd00::53,[fd00::53],[fd00::53]:5353";
    const { dnsServers } = readConfig({ ...given, SVC_DNS_SERVERS: right });
    expect(() => new Resolver().setServers(dnsServers)).not.toThrow();
    expect(dnsServers).toHaveLength(5);
    const names = "dns.example.com dns.example.com:53 10.0.0.53,dns 10.0.0";
    // Node ends the process at the first, and asks another port than the second says.
    const ports = "10.0.0.53:0 10.0.0.53:65536 10.0.0.53: [10.0.0.53]:53 [fd00::53";
    for (const wrong of `${names} ${ports}`.split(" ")) {
      expect(faultsOf({ ...given, SVC_DNS_SERVERS: wrong })).toContain(
        "SVC_DNS_SERVERS: must look like 10.0.0.53, 10.0.0.53:5353 or [fd00::53]:5353",
      );
    }
  });

  it("takes addresses and ranges of proxies, and no names", () => {
    const api = { ...REQUIRED, SVC_ROLE: "api" };
    const right = ["192.168.0.1", "10.0.0.0/8", "0.0.0.0/0", "fd00::1", "fd00::/8", "::1/128"];
    const { trustedProxies } = readConfig({ ...api, SVC_TRUSTED_PROXIES: right.join(",") });
    expect(trustedProxies).toEqual(right);
    for (const wrong of [
      "proxy.example.com",
      "loopback",
      "10.0.0.1,proxy",
      "10",
      "10.0.0.0/33",
      "10.0.0.0/",
      "10.0.0.0/255.0.0.0",
      "fd00::/129",
      "10.0.0.0/8/8",
      "fe80::1%eth0",
    ]) {
      expect(faultsOf({ ...api, SVC_TRUSTED_PROXIES: wrong })).toContain(
        "SVC_TRUSTED_PROXIES: must look like 192.168.0.1,10.0.0.0/8",
      );
    }
  });

  it.for([
    ["SVC_PORT", "abc", "must be a number"],
    ["SVC_PORT", "80.5", "must be a whole number"],
    ["SVC_PORT", "-1", "must be at least 0"],
    ["SVC_PORT", "65536", "must be at most 65535"],
    ["SVC_EXPORT_RATE", "0", "must be more than 0"],
    ["SVC_MODEL_TIMEOUT_SECS", "1 min", "must be a number"],
    ["SVC_MODEL_FIRST_WORD_SECS", "0", "must be at least 0.1"],
    ["SVC_MODEL_WHOLE_SECS", "600", "must be at most 240"],
    ["SVC_MODEL_PRESETS", "small=gpt", `must look like some-model=openai,another=vllm; ${PRESETS}`],
    ["SVC_MODEL_BODY", '{"small":{"stream":false}}', NO_BODY],
    ["SVC_MODEL_BODY", "{", NO_BODY],
    ["SVC_TTS_PRICE", "much", "must be a number"],
    ["SVC_ROLE", "web", "must be one of api, live, pipeline, all"],
    ["SVC_MIGRATE", "yes", "must be one of on, off"],
  ])("says what %s may be when it is %s", ([name, value, problem]) => {
    expect(faultsOf({ ...REQUIRED, ...PIPELINE, [name!]: value! })).toContain(
      `  ${name}: ${problem}\n`,
    );
  });

  it("tells what is missing from what is wrong", () => {
    expect(faultsOf({})).toMatch(/^The configuration is not complete\.\n/);
    expect(faultsOf({ ...REQUIRED })).toMatch(/^The configuration is not complete\.\n/);
    expect(faultsOf({ SVC_PORT: "abc" })).toMatch(/^The configuration has mistakes\.\n/);
  });

  it("takes an empty variable for an unset one", () => {
    const given = { ...REQUIRED, ...PIPELINE };
    expect(readConfig({ ...given, SVC_PORT: "", SVC_ROLE: "" })).toEqual(readConfig(given));
    expect(faultsOf({ ...REQUIRED, SVC_PUBLIC_URL: "" })).toContain("SVC_PUBLIC_URL");
  });

  it("names every variable at fault at once, and the page that explains them", () => {
    const message = faultsOf({
      SVC_PORT: "65536",
      SVC_CELL: "ABC",
      SVC_PUBLIC_URL: "ftp://example.com",
      SVC_MIGRATE: "yes",
    });
    for (const name of [
      "SVC_DATABASE_URL",
      "SVC_EXPORT_DATABASE_URL",
      "SVC_PORT",
      "SVC_CELL",
      "SVC_PUBLIC_URL",
      "SVC_MIGRATE",
    ]) {
      expect(message).toContain(`  ${name}: `);
    }
    expect(message).not.toContain("SVC_HOST");
    expect(message).toContain("docs/operate/configuration.md");
  });

  // S12
  it("never repeats a value, which may be a secret", () => {
    const given = Object.fromEntries(describeConfig().map(({ name }) => [name, "canary"]));
    expect(faultsOf(given)).toContain("SVC_DATABASE_URL");
    expect(faultsOf(given)).not.toContain("canary");
  });

  it("is summarised without passwords and keys", () => {
    const speech = { ...SPEECH, ...SPEECH_FALLBACK };
    const given = { ...REQUIRED, ...PIPELINE, ...speech, SVC_MODEL_KEY: "secret-3" };
    const text = JSON.stringify(redactedConfig(readConfig(given)));
    expect(text).toContain("ears.example.com");
    expect(text).not.toContain("key-");
    expect(text).toContain("db.example:5432/svc");
    expect(text).toContain('"secretKeys":["k1"]');
    expect(text).not.toContain("secret-");
    expect(text).not.toContain(PIPELINE.SVC_SECRET_KEYS.slice(3));
  });

  it("sends mail with all that it needs, or none", () => {
    const api = { ...REQUIRED, SVC_ROLE: "api" };
    expect(readConfig(api).mail).toBeUndefined();
    const SVC_SMTP_URL = "smtps://user:secret-9@mail.example.com";
    expect(faultsOf({ ...api, SVC_SMTP_URL })).toContain("SVC_MAIL_FROM: is required");
    expect(faultsOf({ ...api, SVC_MAIL_FROM: "a@b.test" })).toContain("SVC_SMTP_URL: is required");
    for (const wrong of [
      "Ada",
      "a@b.test, c@d.test",
      "Ada <a@b.test> x",
      "a@b.test\r\nBcc: c@d.test",
    ]) {
      expect(faultsOf({ ...api, SVC_SMTP_URL, SVC_MAIL_FROM: wrong })).toContain("must look like");
    }
    const SVC_MAIL_FROM = '"Ada & Co" <hello@example.com>';
    // Links in mails that nobody could open.
    expect(faultsOf({ ...api, SVC_SMTP_URL, SVC_MAIL_FROM })).toContain(
      "SVC_SECRET_KEYS: is required where mail is sent (SVC_SMTP_URL)",
    );
    const { SVC_SECRET_KEYS, ...models } = PIPELINE;
    const live = { ...REQUIRED, ...models, SVC_ROLE: "live" };
    expect(faultsOf({ ...live, SVC_SMTP_URL, SVC_MAIL_FROM })).toBe("");
    const sending = { ...api, SVC_SECRET_KEYS, SVC_SMTP_URL, SVC_MAIL_FROM };
    const config = readConfig(sending);
    const from = { name: "Ada & Co", address: "hello@example.com" };
    expect(config.mail).toEqual({ url: SVC_SMTP_URL, from, tls: "required" });
    expect(JSON.stringify(redactedConfig(config))).not.toContain("secret-9");
    expect(faultsOf({ ...sending, SVC_DKIM_DOMAIN: "example.com" })).toMatch(
      /SVC_DKIM_SELECTOR: is required[^]*SVC_DKIM_KEY_FILE: is required/,
    );
    for (const file of ["/nowhere/key.pem", keyFile("ed25519")]) {
      expect(faultsOf({ ...sending, SVC_DKIM_KEY_FILE: file })).toContain(
        "must name a readable file with an RSA private key",
      );
    }
  });

  it("says of every variable what it means and what it is when unset", () => {
    const described = describeConfig();
    expect(described.filter(({ meaning }) => meaning.length < 10)).toEqual([]);
    expect(described.filter((one) => one.default === "required").map(({ name }) => name)).toEqual(
      Object.keys(REQUIRED),
    );
    expect(Object.fromEntries(described.map((one) => [one.name, one.default]))).toMatchObject({
      SVC_ROLE: "all",
      SVC_PORT: "8080",
      SVC_MIGRATE: "on",
      SVC_TRUSTED_PROXIES: "none",
    });
  });
});
