import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Rolldown } from "vite";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const OUTPUT = join(ROOT, "dist");

export interface BuiltConsoleFile {
  name: string;
  body: Buffer;
  brotli: Buffer;
  /** Loaded with the first page, not on demand. */
  first: boolean;
}

/** The console's packages are for building only: an installation for production has none of them. */
async function canBuildConsole(): Promise<boolean> {
  return import("vite").then(
    () => true,
    () => false,
  );
}

/** Builds `dist/`: one page, and scripts and styles whose names contain their hash. Every file is also written compressed. */
async function buildConsole(): Promise<BuiltConsoleFile[]> {
  const files = await bundleConsole();
  await mkdir(OUTPUT, { recursive: true });
  const before = new Set(await readdir(OUTPUT));
  for (const { name, body, brotli } of files) {
    for (const [end, bytes] of [
      [".br", brotli],
      [".gz", gzipSync(body, { level: 9 })],
      ["", body],
    ] as const) {
      await writeFile(join(OUTPUT, name + end), bytes);
      before.delete(name + end);
    }
  }
  for (const old of before) await rm(join(OUTPUT, old), { force: true });
  return files;
}

/** The content of every file. */
export async function bundleConsole(): Promise<BuiltConsoleFile[]> {
  const { build } = await import("vite");
  const { output } = (await build({
    root: ROOT,
    base: "/console/assets/",
    configFile: false,
    logLevel: "warn",
    // Whatever the shell says: React for development is half as large again.
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    oxc: { jsx: { runtime: "automatic", development: false } },
    build: {
      write: false,
      assetsDir: "",
      // A small file inside the style would be an address that the policy refuses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: "es2023",
      // Packages mark what runs in browsers, for frameworks that also render on servers.
      rolldownOptions: { checks: { moduleLevelDirective: false } },
    },
  })) as Rolldown.RolldownOutput;
  const first = firstFiles(output);
  return output.map((file) => {
    const body = Buffer.from(file.type === "chunk" ? file.code : file.source);
    const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
    return { name: file.fileName, body, brotli, first: first.has(file.fileName) };
  });
}

/** The page, its styles, its script and what that imports before it runs. */
function firstFiles(output: Rolldown.RolldownOutput["output"]): Set<string> {
  const chunks = output.filter((file) => file.type === "chunk");
  const reached = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  // The list grows while it is read.
  for (const name of reached) {
    const { imports = [] } = chunks.find(({ fileName }) => fileName === name) ?? {};
    reached.push(...imports.filter((one) => !reached.includes(one)));
  }
  const assets = output.filter(({ fileName }) => /\.(?:css|html)$/.test(fileName));
  return new Set([...reached, ...assets.map(({ fileName }) => fileName)]);
}

if (import.meta.main) {
  if (await canBuildConsole()) {
    for (const { name, body, brotli } of await buildConsole()) {
      const sizes = `${String(body.length).padStart(7)} ${String(brotli.length).padStart(6)} br`;
      process.stdout.write(`${name.padEnd(28)} ${sizes}\n`);
    }
  } else {
    process.stdout.write(
      "The console is left out: its packages are not installed. Install with `npm ci`, build, then `npm prune --omit=dev`.\n",
    );
  }
}
