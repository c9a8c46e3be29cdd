import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The files that the drift checks look at and write. Paths start at the repository's root. */
export interface Repository {
  /** The file's text, or undefined when there is no such file. */
  read(path: string): string | undefined;
  write(path: string, text: string): void;
  /** The files and folders that match. */
  glob(pattern: string): string[];
}

export function repositoryAt(root: string): Repository {
  return {
    read(path) {
      try {
        return readFileSync(join(root, path), "utf8");
      } catch {
        return undefined;
      }
    },
    write: (path, text) => writeFileSync(join(root, path), text),
    glob: (pattern) => globSync(pattern, { cwd: root }).toSorted((a, b) => a.localeCompare(b)),
  };
}

export const repository: Repository = repositoryAt(join(import.meta.dirname, "../.."));

/** Calls a function of the server in a process of its own, since tools import nothing of the server. */
export function askServer(file: string, name: string): unknown {
  const program = `import { ${name} } from "${file}"; console.log(JSON.stringify(${name}()));`;
  const answer = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, "../../server"),
    encoding: "utf8",
    maxBuffer: 10_000_000,
  });
  return JSON.parse(answer) as unknown;
}
