import { open, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { nearest } from "./known-fields.ts";

/** The files of one agent. Symbolic links that lead out of the folder are not followed. */
export interface AgentFolder {
  /** Reads a file by its path relative to the folder, with `/`. A problem says how to solve it. */
  read(path: string, maxBytes: number): Promise<{ bytes: Buffer } | { problem: string }>;
  /** All files below a folder inside, sorted, without hidden ones. */
  list(under: string): Promise<string[]>;
}

/** Paths are long and similar to each other, so only a letter or two counts as a typo. */
const MAX_TYPOS = 3;

export function agentFolder(at: string): AgentFolder {
  async function list(under: string): Promise<string[]> {
    const entries = await readdir(join(at, under), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => join(entry.parentPath, entry.name).slice(at.length + 1))
      .map((path) => path.replaceAll(sep, "/"))
      .filter((path) => !/(?:^|\/)\./.test(path))
      .toSorted((a, b) => (a < b ? -1 : 1));
  }
  return {
    list,
    async read(path, maxBytes) {
      const root = await realpath(at);
      let real: string;
      try {
        real = await realpath(join(at, path));
      } catch {
        const near = nearest(path, await list("."), MAX_TYPOS);
        const cure =
          near === undefined ? "Add it, or correct the path." : `Did you mean \`${near}\`?`;
        return { problem: `There is no file ${path} in the agent's folder. ${cure}` };
      }
      if (!real.startsWith(root + sep))
        return {
          problem: `A link leads ${path} out of the agent's folder. Copy the file into it.`,
        };
      return readInside(real, path, maxBytes);
    },
  };
}

async function readInside(
  real: string,
  path: string,
  maxBytes: number,
): Promise<{ bytes: Buffer } | { problem: string }> {
  try {
    await using file = await open(real, "r");
    const { size, ...stats } = await file
      .stat()
      .then((one) => ({ size: one.size, isFile: one.isFile() }));
    if (!stats.isFile) return { problem: `${path} is no file. Name a file.` };
    if (size > maxBytes)
      return {
        problem: `${path} has ${inBytes(size)}. Make it smaller than ${inBytes(maxBytes)}.`,
      };
    if (size === 0) return { problem: `${path} is empty. Write something into it.` };
    return { bytes: await file.readFile() };
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return { problem: `${path} cannot be read (${code}). Name a file that you may read.` };
  }
}

/** `812 bytes`, `4 KB`, `2.5 MB`. */
export function inBytes(size: number): string {
  if (size < 1_000) return `${size} bytes`;
  const [amount, unit] = size < 1_000_000 ? [size / 1_000, "KB"] : [size / 1_000_000, "MB"];
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${unit}`;
}
