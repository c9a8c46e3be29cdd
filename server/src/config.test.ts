import { describe, expect, it } from "vitest";
import { ConfigError, describeConfig, readConfig, redactedConfig } from "./config.ts";

const REQUIRED = {
  SVC_DATABASE_URL: "postgres://svc:secret-1@db.example:5432/svc",
  SVC_EXPORT_DATABASE_URL: "postgres://svc_export:secret-2@db.example:5432/svc",
  SVC_PUBLIC_URL: "https://api.example.com/",
};

function faultsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return "";
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
}

describe("the configuration", () => {
  it("needs three variables and has a default for the rest", () => {
    const config = readConfig(REQUIRED);
    expect(config).toMatchObject({
      role: "all",
      port: 8080,
      opsHost: "127.0.0.1",
      migrate: true,
      exportRate: 100,
      exportBurst: 1000,
    });
    expect(Object.values(config)).not.toContain(undefined);
  });

  it("takes every variable that it describes, and describes every setting", () => {
    const given = {
      ...REQUIRED,
      SVC_ROLE: "api",
      SVC_CELL: "b2",
      SVC_MIGRATE: "off",
      SVC_HOST: "::1",
      SVC_PORT: "1",
      SVC_OPS_HOST: "10.0.0.1",
      SVC_OPS_PORT: "2",
      SVC_TRUSTED_PROXIES: "10.0.0.0/8, 192.168.0.1,",
      SVC_LOG_LEVEL: "warn",
      SVC_SHUTDOWN_SECS: "3",
      SVC_DATABASE_CONNECTIONS: "4",
      SVC_EXPORT_CONNECTIONS: "5",
      SVC_EXPORT_MEMORY_MB: "16",
      SVC_EXPORT_RATE: "7",
      SVC_EXPORT_BURST: "8",
    };
    expect(Object.keys(given).toSorted()).toEqual(
      describeConfig()
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(readConfig(given)).toEqual({
      role: "api",
      cell: "b2",
      databaseUrl: REQUIRED.SVC_DATABASE_URL,
      exportDatabaseUrl: REQUIRED.SVC_EXPORT_DATABASE_URL,
      migrate: false,
      host: "::1",
      port: 1,
      opsHost: "10.0.0.1",
      opsPort: 2,
      publicUrl: "https://api.example.com",
      trustedProxies: ["10.0.0.0/8", "192.168.0.1"],
      logLevel: "warn",
      shutdownMs: 3_000,
      databaseConnections: 4,
      exportConnections: 5,
      exportMemoryBytes: 16 * 1_048_576,
      exportRate: 7,
      exportBurst: 8,
    });
  });

  it("takes an empty variable for an unset one", () => {
    expect(readConfig({ ...REQUIRED, SVC_PORT: "", SVC_ROLE: "" })).toEqual(readConfig(REQUIRED));
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
    const canary = "canary";
    const message = faultsOf(
      Object.fromEntries(describeConfig().map(({ name }) => [name, canary])),
    );
    expect(message).toContain("SVC_DATABASE_URL");
    expect(message).not.toContain(canary);
  });

  it("is summarised without passwords", () => {
    const text = JSON.stringify(redactedConfig(readConfig(REQUIRED)));
    expect(text).toContain("db.example:5432/svc");
    expect(text).not.toContain("secret");
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
