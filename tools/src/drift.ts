import { docPathsCheck } from "./doc-paths.ts";
import type { DriftCheck } from "./drift-check.ts";
import { openApiCheck } from "./openapi.ts";
import { specCoverageCheck } from "./spec-coverage.ts";

const checks: DriftCheck[] = [openApiCheck, specCoverageCheck, docPathsCheck];

/** Runs the checks, telling how each went. True when nothing drifted. */
export function drift(
  checksToRun: DriftCheck[],
  { write, tell }: { write: boolean; tell: (line: string) => void },
): boolean {
  const outcomes = checksToRun.map((check) => {
    if (write) check.write?.();
    const problems = check.problems();
    tell(`${problems.length === 0 ? "ok     " : "DRIFTED"} ${check.name}: ${check.summary()}`);
    for (const problem of problems) tell(`  - ${problem}`);
    return problems.length === 0;
  });
  return outcomes.every(Boolean);
}

if (process.argv[1] === import.meta.filename) {
  const write = process.argv.includes("--write");
  process.exitCode = drift(checks, { write, tell: console.log }) ? 0 : 1;
}
