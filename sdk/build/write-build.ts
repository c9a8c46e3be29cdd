import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

export interface BuiltFile {
  name: string;
  bytes: number;
  brotli: number;
}

/**
 * Replaces the previous build, whose chunks are kept for a while. `files` is in order: each file comes
 * after those that it loads, so that a page that loads meanwhile finds them.
 */
export async function writeBuild(
  folder: string,
  files: ReadonlyMap<string, string>,
): Promise<BuiltFile[]> {
  await mkdir(folder, { recursive: true });
  await retire(folder);
  const built: BuiltFile[] = [];
  const written: string[] = [];
  for (const [name, text] of files) {
    const brotli = compress(text);
    for (const [file, bytes] of [
      [`${name}.br`, brotli],
      [`${name}.gz`, gzipSync(text, { level: 9 })],
      [name, Buffer.from(text)],
    ] as const) {
      await writeFile(join(folder, unfinished(file)), bytes);
      written.push(file);
    }
    built.push({ name, bytes: Buffer.byteLength(text), brotli: brotli.length });
  }
  for (const file of written) await rename(join(folder, unfinished(file)), join(folder, file));
  for (const file of await readdir(folder)) {
    if (!written.includes(file) && (await isForgotten(join(folder, file)))) {
      await rm(join(folder, file), { force: true });
    }
  }
  return built;
}

/** How distances are coded changes the size by some dozen bytes, and no choice is the best for every file. */
const DISTANCE_CODES = [
  [0, 0],
  [1, 0],
  [0, 4],
  [0, 15],
] as const;
/** Nobody waits for a larger file, and trying takes seconds. */
const MAX_TRIED = 100_000;

/** As small as brotli makes it. */
export function compress(text: string): Buffer {
  const codes = DISTANCE_CODES.slice(0, text.length > MAX_TRIED ? 1 : undefined);
  const results = codes.map(([postfix, direct]) =>
    brotliCompressSync(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
        [constants.BROTLI_PARAM_NDIRECT]: direct,
      },
    }),
  );
  return results.toSorted((one, other) => one.length - other.length)[0]!;
}

/** A temporary name that is not served, and that no other build uses. */
function unfinished(file: string): string {
  return `${file}.${process.pid}.new`;
}

const KEPT_MS = 365 * 86_400_000;

/** Kept for a year: pages and caches may have a script of a previous build that long, and it asks for its chunks. */
async function isForgotten(file: string): Promise<boolean> {
  // Another build may have renamed it meanwhile.
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > KEPT_MS;
}

/** Starts the year of the current build's chunks now, when they are replaced, not when they were built. */
async function retire(folder: string): Promise<void> {
  const names = await readdir(folder);
  const chunks = names.filter((name) => CHUNK.test(name));
  const reached = names.includes("sdk.js") ? ["sdk.js"] : [];
  // The list grows while it is read: sdk.js names some chunks by their hashes, and these name others.
  for (const name of reached) {
    const text = await readFile(join(folder, name), "utf8");
    const named = chunks.filter((chunk) => text.includes(CHUNK.exec(chunk)![1]!));
    reached.push(...named.filter((chunk) => !reached.includes(chunk)));
  }
  const now = new Date();
  for (const name of names) {
    const isReached = reached.includes(name.replace(/\.(?:br|gz)$/, ""));
    if (isReached) await utimes(join(folder, name), now, now);
  }
}

const CHUNK = /\.([0-9a-f]{6,8})\.js$/;
