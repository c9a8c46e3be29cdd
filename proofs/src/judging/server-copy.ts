import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, glob, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spoil } from "./defects.ts";
import type { Change } from "./defects.ts";

export const ROOT: string = join(import.meta.dirname, "../../..");
const SOURCES = "server/src/{evaluation,language}/**/!(*.test).ts";

/** What became of one `svc rubric score --json`. */
export interface Scored {
  exitCode: number;
  /** The part of its output that is looked at here; absent when it broke down. */
  score?: {
    fixtures: number;
    agreed: number;
    compared: number;
    disagreements: { fixture: string; field: string; expected: string; got: string }[];
    unjudged: { fixture: string; failure: string }[];
  };
  errors: string;
}

/** A copy of the server's sources that defects may be planted in. */
export class ServerCopy {
  readonly root: string;
  readonly #sources: Map<string, string>;

  private constructor(root: string, sources: Map<string, string>) {
    this.root = root;
    this.#sources = sources;
  }

  /** @param root a folder that is not there yet. */
  static async make(root: string): Promise<ServerCopy> {
    await cp(join(ROOT, "server/src"), join(root, "server/src"), {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
    await cp(join(ROOT, "server/package.json"), join(root, "server/package.json"));
    await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
    return new ServerCopy(root, await sourcesIn(root));
  }

  /** Plants a defect for as long as the work takes. */
  async withDefect<T>(changes: Change[], work: () => Promise<T>): Promise<T> {
    const spoilt = spoil(this.#sources, changes);
    for (const [path, text] of spoilt) await writeFile(join(this.root, path), text);
    const result = await work();
    for (const path of spoilt.keys())
      await writeFile(join(this.root, path), this.#sources.get(path)!);
    return result;
  }
}

/** The sources of the judging, by their path from the root. */
export async function sourcesIn(root: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for await (const path of glob(SOURCES, { cwd: root }))
    sources.set(path, await readFile(join(root, path), "utf8"));
  return sources;
}

/** Starts `svc` as a process of its own, as an operator does. */
export async function runScore(
  root: string,
  model: { url: string; name: string },
  { home, signal }: { home: string; signal: AbortSignal },
): Promise<Scored> {
  const cli = join(root, "server/src/operator/cli.ts");
  const child = spawn(process.execPath, [cli, "rubric", "score", "--json"], {
    cwd: home,
    signal,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      // Half of each start would be spent on reading the same packages.
      NODE_COMPILE_CACHE: join(home, "compiled"),
      SVC_MODEL_URL: model.url,
      SVC_EVALUATION_MODEL: model.name,
      // Both must be set, and are never opened.
      SVC_DATABASE_URL: "postgresql://svc@127.0.0.1:9/nothing",
      SVC_EXPORT_DATABASE_URL: "postgresql://svc_export@127.0.0.1:9/nothing",
    },
  });
  let printed = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  // An abort is reported as an error, and nobody waits for that run any more.
  child.on("error", () => {});
  const [exitCode] = (await once(child, "close")) as [number];
  const score = printed === "" ? {} : { score: JSON.parse(printed) as Scored["score"] & object };
  return { exitCode, errors, ...score };
}

/** Everything was judged, and everything agrees. */
export function isWhole({ exitCode, score }: Scored): boolean {
  if (exitCode !== 0 || score === undefined) return false;
  const { fixtures, agreed, compared, unjudged } = score;
  return fixtures === 20 && agreed > 0 && agreed === compared && unjudged.length === 0;
}

/** The score shows the defect. An `svc` that breaks down shows nothing. */
export function isCaught({ exitCode, score }: Scored): boolean {
  return exitCode === 1 && score !== undefined && score.disagreements.length > 0;
}

/** With the first disagreement, for people. */
export function describe({ exitCode, score, errors }: Scored): string {
  if (score === undefined) return `exit code ${exitCode}, ${errors.trim()}`;
  const [first] = score.disagreements;
  const difference =
    first && `; in ${first.fixture} ${first.field} is ${first.got}, not ${first.expected}`;
  return `${score.agreed} of ${score.compared} agree${difference ?? ""}`;
}
