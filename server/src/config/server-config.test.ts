import { expect, it } from "vitest";
import { Environment } from "./environment.ts";
import { parseEnvironment } from "./parse-environment.ts";
import { toConfig } from "./server-config.ts";
import type { Config } from "./server-config.ts";

const GIVEN = {
  SVC_DATABASE_URL: "postgres://svc@db.example/svc",
  SVC_EXPORT_DATABASE_URL: "postgres://svc_export@db.example/svc",
  SVC_PUBLIC_URL: "https://api.example.com/",
  SVC_MODEL_URL: "https://models.example.com/v1",
  SVC_EVALUATION_MODEL: "large",
  SVC_SECRET_KEYS: `k1:${Buffer.alloc(32, "secret").toString("base64")}`,
};

function readConfig(given: Record<string, string>): Config {
  return toConfig(parseEnvironment(Environment, given), true);
}

it("sends a key only to the address that it was given for", () => {
  const read = (more: Record<string, string>) =>
    readConfig({ ...GIVEN, SVC_MODEL_KEY: "k1", ...more }).embeddings;
  expect(read({})).toBeUndefined();
  expect(read({ SVC_EMBEDDINGS_MODEL: "near" })).toMatchObject({
    url: GIVEN.SVC_MODEL_URL,
    key: "k1",
  });
  const url = "https://near.example.com/v1";
  expect(read({ SVC_EMBEDDINGS_MODEL: "near", SVC_EMBEDDINGS_URL: url })?.key).toBeUndefined();
});

it("tells the role api where the LiveKit server is, for its preview page, without the keys", () => {
  const SVC_LIVEKIT_URL = "wss://livekit.example.com";
  expect(readConfig({ ...GIVEN, SVC_ROLE: "api", SVC_LIVEKIT_URL }).livekitUrl).toBe(
    SVC_LIVEKIT_URL,
  );
});

it.each([
  ["api", 15_000, 10_000, 15_000],
  ["pipeline", 15_000, 10_000, 15_000],
  ["live", 600_000, 585_000, 15_000],
  ["all", 600_000, 585_000, 15_000],
] as const)("%s has %i ms to stop by default", (role, limitMs, conversationsMs, restMs) => {
  const environment = { ...GIVEN, SVC_ROLE: role };
  expect(readConfig(environment).shutdown).toEqual({ limitMs, conversationsMs, restMs });
  const { shutdown } = readConfig({ ...environment, SVC_SHUTDOWN_SECS: "1200" });
  expect(shutdown).toEqual({ limitMs: 1_200_000, conversationsMs: 1_185_000, restMs: 1_200_000 });
});
