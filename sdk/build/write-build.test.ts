import { mkdtemp, readdir, readFile, rm, utimes, watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { writeBuild } from "./write-build.ts";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "svc-sdk-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** sdk.js leads to the call, and the call to its strings. */
function build(call: string, strings: string): Map<string, string> {
  return new Map([
    [`strings.${strings}.js`, `strings ${strings}`],
    [`call.${call}.js`, `needs ${strings}`],
    ["sdk.js", `needs ${call}`],
  ]);
}

async function age(folder: string, days: number): Promise<void> {
  const then = new Date(Date.now() - days * 86_400_000);
  for (const file of await readdir(folder)) await utimes(join(folder, file), then, then);
}

test("every file lies there three times, and nothing else", async () => {
  const folder = await emptyFolder();
  const files = build("11111111", "22222222");
  const built = await writeBuild(folder, files);
  expect(built.map(({ name }) => name)).toEqual([...files.keys()]);
  for (const [name, text] of files) {
    expect(await readFile(join(folder, name), "utf8")).toBe(text);
    const packed = (ending: string): Promise<Buffer> => readFile(join(folder, `${name}.${ending}`));
    expect(brotliDecompressSync(await packed("br")).toString()).toBe(text);
    expect(gunzipSync(await packed("gz")).toString()).toBe(text);
  }
  expect(await readdir(folder)).toHaveLength(9);
});

test("sdk.js comes last, after all that it leads to", async () => {
  const folder = await emptyFolder();
  const seen: (string | null)[] = [];
  const changes = watch(folder);
  const watched = (async () => {
    for await (const { filename } of changes) {
      seen.push(filename);
      if (filename === "sdk.js") return;
    }
  })();
  await writeBuild(folder, build("11111111", "22222222"));
  await watched;
  expect(seen).toEqual(expect.arrayContaining(await readdir(folder)));
  expect(seen.indexOf("call.11111111.js")).toBeGreaterThan(seen.indexOf("call.11111111.js.br"));
});

test("a build that cannot be written leaves the one before as it was", async () => {
  const folder = await emptyFolder();
  await writeBuild(folder, build("11111111", "22222222"));
  const before = await readdir(folder);
  const broken = build("33333333", "22222222").set("no-folder/sdk.d.ts", "");
  await expect(writeBuild(folder, broken)).rejects.toThrow("ENOENT");
  expect(await readFile(join(folder, "sdk.js"), "utf8")).toBe("needs 11111111");
  const after = (await readdir(folder)).filter((name) => !name.endsWith(".new"));
  expect(after).toEqual(before);
});

test("a chunk stays for a year after its build was replaced, however old that was", async () => {
  const folder = await emptyFolder();
  await writeBuild(folder, build("11111111", "22222222"));
  await age(folder, 90);
  await writeBuild(folder, build("33333333", "44444444"));
  expect(await readdir(folder)).toHaveLength(15);
  await age(folder, 366);
  await writeBuild(folder, build("55555555", "44444444"));
  const chunks = (await readdir(folder)).filter((name) => /\.[0-9a-f]{6,8}\.js$/.test(name));
  expect(chunks).toEqual(["call.33333333.js", "call.55555555.js", "strings.44444444.js"]);
});
