import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync, brotliDecompressSync } from "node:zlib";
import { captureLog, writeBuilt } from "#testing";
import type { FastifyInstance } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createApiUnderTest } from "./api-under-test.ts";

const CALL = "export{};";
const CALL_HASH = createHash("sha256").update(CALL).digest("hex").slice(0, 8);
const CALL_FILE = `call.${CALL_HASH}.js`;

async function apiWithSdk(): Promise<FastifyInstance> {
  return (await apiAndFolder()).api;
}

async function apiAndFolder(): Promise<{ api: FastifyInstance; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "svc-sdk-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const files = {
    "sdk.js": 'var s={version:"1.2.3"};',
    "sdk.d.ts": "export {};",
    [CALL_FILE]: CALL,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeBuilt(folder, name, text);
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
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["identity", undefined],
])("who accepts %s gets %s", async ([accepts, encoding]) => {
  const api = await apiWithSdk();
  const response = await api.inject({
    url: "/sdk/sdk.js",
    headers: { "accept-encoding": accepts! },
  });
  expect(response.headers["content-encoding"]).toBe(encoding);
  expect(response.headers["etag"]).toMatch(new RegExp(`-${encoding ?? "identity"}"$`));
  const { rawPayload } = response;
  const decoded =
    encoding === "br"
      ? brotliDecompressSync(rawPayload)
      : encoding === "gzip"
        ? gunzipSync(rawPayload)
        : rawPayload;
  expect(decoded.toString()).toBe('var s={version:"1.2.3"};');
});

test("chunks never change, and lie beside the earlier bootstrap too", async () => {
  const api = await apiWithSdk();
  for (const url of [`/sdk/${CALL_FILE}`, `/sdk/v0/${CALL_FILE}`]) {
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

test("a page that pinned an earlier version still finds it and its chunks", async () => {
  const { api, folder } = await apiAndFolder();
  const earlier = 'var s={version:"1.2.2"};';
  await writeBuilt(folder, "sdk-1.2.2.js", earlier);
  expect((await api.inject("/sdk/1.2.2/sdk.js")).body).toBe(earlier);
  expect((await api.inject(`/sdk/1.2.2/${CALL_FILE}`)).statusCode).toBe(200);
  expect((await api.inject("/sdk/1.2.2/sdk.d.ts")).statusCode).toBe(404);
  const hash = createHash("sha384").update(earlier).digest("base64");
  expect((await api.inject("/sdk/1.2.2/integrity.json")).json()).toMatchObject({
    "sdk.js": `sha384-${hash}`,
  });
  expect((await api.inject("/sdk/1.2.3/sdk.js")).body).toContain("1.2.3");
});

test("a pinned version has an import map, by which browsers verify its chunks", async () => {
  const api = await apiWithSdk();
  const hash = createHash("sha384").update(CALL).digest("base64");
  expect((await api.inject("/sdk/1.2.3/importmap.json")).json()).toEqual({
    integrity: { [`https://api.example.com/sdk/1.2.3/${CALL_FILE}`]: `sha384-${hash}` },
  });
});

test.for(["", ".br", ".gz"])(
  "a chunk whose file%s is not what was built is refused, and told",
  async (suffix) => {
    const { folder } = await apiAndFolder();
    const evil = Buffer.from("export{};steal()");
    const bytes = { "": evil, ".br": brotliCompressSync(evil), ".gz": gzipSync(evil) }[suffix]!;
    await writeFile(join(folder, CALL_FILE + suffix), bytes);
    const { log, lines } = captureLog();
    const api = createApiUnderTest({ sdkFolder: folder, log });
    onTestFinished(() => api.close());
    expect((await api.inject(`/sdk/${CALL_FILE}`)).statusCode).toBe(404);
    expect((await api.inject("/sdk/sdk.js")).statusCode).toBe(200);
    expect(lines().filter(({ level }) => level === "error")).toMatchObject([{ file: CALL_FILE }]);
  },
);

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
  await writeBuilt(folder, "sdk.js", 'var s={version:"1.2.3"};');
  expect((await api.inject("/sdk/sdk.js")).statusCode).toBe(200);
});
