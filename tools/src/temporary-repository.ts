import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { repositoryAt } from "./repository.ts";
import type { Repository } from "./repository.ts";

/** For tests: a repository with these files, gone when the test is over. */
export function temporaryRepository(files: Record<string, string>): Repository {
  const root = mkdtempSync(join(tmpdir(), "svc-repository-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return repositoryAt(root);
}
