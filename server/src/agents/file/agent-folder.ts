import { open, readdir, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { nearest } from "./known-fields.ts";

/** The files of one agent. Nothing outside the folder is ever opened, whatever a link says. */
export interface AgentFolder {
  /** A path from the folder, with `/`. Answers with a problem that names the cure. */
  read(path: string, mostBytes: number): Promise<{ bytes: Buffer } | { problem: string }>;
  /** Every file of a folder inside, sorted, hidden ones left out. */
  list(under: string): Promise<string[]>;
}

/** Paths are long and much alike: only a letter or two is a slip. */
const MOST_SLIPS = 3;

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
    async read(path, mostBytes) {
      const root = await realpath(at);
      let real: string;
      try {
        real = await realpath(join(at, path));
      } catch {
        const near = nearest(path, await list("."), MOST_SLIPS);
        const cure =
          near === undefined ? "Add it, or correct the path." : `Did you mean \`${near}\`?`;
        return { problem: `There is no file ${path} in the agent's folder. ${cure}` };
      }
      if (!real.startsWith(root + sep))
        return {
          problem: `A link leads ${path} out of the agent's folder. Copy the file into it.`,
        };
      return readInside(real, path, mostBytes);
    },
  };
}

async function readInside(
  real: string,
  path: string,
  mostBytes: number,
): Promise<{ bytes: Buffer } | { problem: string }> {
  try {
    await using file = await open(real, "r");
    const { size, ...stats } = await file
      .stat()
      .then((one) => ({ size: one.size, isFile: one.isFile() }));
    if (!stats.isFile) return { problem: `${path} is no file. Name a file.` };
    if (size > mostBytes)
      return {
        problem: `${path} has ${inBytes(size)}. Make it smaller than ${inBytes(mostBytes)}.`,
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
