import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureLog } from "#testing";
import type { FastifyInstance } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createApiUnderTest } from "./api-under-test.ts";

async function apiWithSdk(): Promise<FastifyInstance> {
  return (await apiAndFolder()).api;
}

async function apiAndFolder(): Promise<{ api: FastifyInstance; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "svc-sdk-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    "sdk.js": 'var s={version:"1.2.3"};',
    "sdk.d.ts": "export {};",
    "call.01234567.js": "export{};",
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, `${name}.br`), `br of ${name}`);
    await writeFile(join(folder, `${name}.gz`), `gzip of ${name}`);
  }
  await writeFile(join(folder, "secret.txt"), "no file of the SDK");
  const api = createApiUnderTest({ sdkFolder: folder });
  onTestFinished(() => api.close());
  return { api, folder };
}

test("sdk.js is cached for minutes, readable from any page, and a script", async () => {
  const api = await apiWithSdk();
  const { statusCode, headers, body } = await api.inject("/sdk/sdk.js");
  expect(statusCode).toBe(200);
  expect(body).toContain("1.2.3");
  expect(headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=300, stale-while-revalidate=86400, stale-if-error=604800",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
  });
  const again = await api.inject({
    url: "/sdk/sdk.js",
    headers: { "if-none-match": String(headers["etag"]) },
  });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe("");
});

test.for([
  ["gzip, deflate, br", "br", "br of sdk.js"],
  ["gzip", "gzip", "gzip of sdk.js"],
  ["br;q=0, gzip", "gzip", "gzip of sdk.js"],
  ["identity", undefined, 'var s={version:"1.2.3"};'],
])("who accepts %s gets %s", async ([accepts, encoding, body]) => {
  const api = await apiWithSdk();
  const response = await api.inject({
    url: "/sdk/sdk.js",
    headers: { "accept-encoding": accepts! },
  });
  expect(response.headers["content-encoding"]).toBe(encoding);
  expect(response.headers["etag"]).toMatch(new RegExp(`-${encoding ?? "identity"}"$`));
  expect(response.body).toBe(body);
});

test("chunks never change, and lie beside the earlier bootstrap too", async () => {
  const api = await apiWithSdk();
  for (const url of ["/sdk/call.01234567.js", "/sdk/v0/call.01234567.js"]) {
    const { statusCode, headers } = await api.inject(url);
    expect(statusCode).toBe(200);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  }
});

test("the version that is built can be pinned, with its hashes", async () => {
  const api = await apiWithSdk();
  const pinned = await api.inject("/sdk/1.2.3/sdk.js");
  expect(pinned.headers["cache-control"]).toContain("immutable");
  const { statusCode, body } = await api.inject("/sdk/1.2.3/integrity.json");
  expect(statusCode).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ "sdk.js": expect.stringMatching(/^sha384-/) });
  expect((await api.inject("/sdk/9.9.9/sdk.js")).statusCode).toBe(404);
});

test("an SDK that is not built is told to whoever asks for it, and to the log once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "svc-sdk-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { log, lines } = captureLog();
  const api = createApiUnderTest({ sdkFolder: folder, log });
  onTestFinished(() => api.close());
  for (const url of ["/sdk/sdk.js", "/sdk/v0/sdk.js", "/sdk/1.2.3/sdk.js"]) {
    const { statusCode, body } = await api.inject(url);
    expect(statusCode).toBe(404);
    expect(body).toContain("The SDK is not built on this server");
    expect(body).not.toContain("the current one is");
  }
  const warnings = lines().filter(({ level }) => level === "warn");
  expect(warnings).toMatchObject([{ msg: "the SDK is not built", folder }]);
});

test("an SDK that is built is not complained of", async () => {
  const { folder } = await apiAndFolder();
  const { log, lines } = captureLog();
  const api = createApiUnderTest({ sdkFolder: folder, log });
  onTestFinished(() => api.close());
  await api.ready();
  expect(lines()).toEqual([]);
});

test.for([
  "/sdk/secret.txt",
  "/sdk/1.2.3/secret.txt",
  "/sdk/..%2fsecret.txt",
  "/sdk/call.ffffffff.js",
])("%s is no file of the SDK", async (url) => {
  const api = await apiWithSdk();
  const { statusCode, body } = await api.inject(url);
  expect(statusCode).toBe(404);
  expect(body).not.toContain("no file of the SDK");
});

test("files that could not be read are read again at the next request", async () => {
  const { api, folder } = await apiAndFolder();
  await rm(join(folder, "sdk.js.br"));
  expect((await api.inject("/sdk/sdk.js")).statusCode).toBe(500);
  await writeFile(join(folder, "sdk.js.br"), "br of sdk.js");
  expect((await api.inject("/sdk/sdk.js")).statusCode).toBe(200);
});
