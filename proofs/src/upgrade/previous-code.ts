import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../runner/claims.ts";
import { linkPackages } from "../start/clone.ts";

const run = promisify(execFile);

/** This repository as it was before its newest migration, with the packages that are installed here. */
export interface PreviousCode {
  /** The commit, and the migration that it lacks. */
  commit: string;
  lacks: string;
  main: string;
  cli: string;
}

/** Throws where git does not know that far back. */
export async function checkOutPrevious(
  onEnd: (clean: () => unknown) => void,
): Promise<PreviousCode> {
  const files = await readdir(join(ROOT, "server/migrations"));
  const lacks = files.toSorted().at(-1)!;
  const commit = await commitBefore(`server/migrations/${lacks}`);
  const folder = await mkdtemp(join(tmpdir(), "svc-previous-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const tar = join(folder, "code.tar");
  await run("git", ["archive", "--output", tar, commit], { cwd: ROOT });
  await run("tar", ["-xf", tar, "-C", folder]);
  await linkPackages(folder);
  return {
    commit,
    lacks,
    main: join(folder, "server/src/main.ts"),
    cli: join(folder, "server/src/operator/cli.ts"),
  };
}

async function commitBefore(file: string): Promise<string> {
  const git = async (...words: string[]): Promise<string> =>
    (await run("git", words, { cwd: ROOT })).stdout.trim();
  // In a shallow clone the oldest commit seems to have added every file.
  if ((await git("rev-parse", "--is-shallow-repository")) === "true") {
    throw new Error(
      `There is no code from before ${file} to run: this is a shallow clone. Run \`git fetch --unshallow\`.`,
    );
  }
  const added = await git("log", "--diff-filter=A", "--format=%H", "-1", "--", file);
  // Not committed yet: what is committed does without it.
  return git("rev-parse", added === "" ? "HEAD" : `${added}^`);
}
