import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** Writes a file of the SDK with its compressed copies, as the build does. */
export async function writeBuilt(folder: string, name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
  await writeFile(join(folder, `${name}.br`), brotliCompressSync(text));
  await writeFile(join(folder, `${name}.gz`), gzipSync(text));
}
