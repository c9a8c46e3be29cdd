import { agentSchemaCheck, scenarioSchemaCheck } from "./agent-schema.ts";
import { dataMapCheck } from "./data-map.ts";
import { docPathsCheck } from "./doc-paths.ts";
import { agentReferenceCheck, scenarioReferenceCheck } from "./docs/agent-reference.ts";
import { cliReferenceCheck } from "./docs/cli-reference.ts";
import { configTableCheck } from "./docs/config-table.ts";
import { dependencyTableCheck } from "./docs/dependency-table.ts";
import { faultTableCheck } from "./docs/fault-table.ts";
import { importRowsCheck } from "./docs/import-rows.ts";
import type { DriftCheck } from "./drift-check.ts";
import { openApiCheck } from "./openapi.ts";
import { specCoverageCheck } from "./spec-coverage.ts";

const checks: DriftCheck[] = [
  openApiCheck,
  agentSchemaCheck,
  agentReferenceCheck,
  scenarioSchemaCheck,
  scenarioReferenceCheck,
  specCoverageCheck,
  cliReferenceCheck,
  configTableCheck,
  dependencyTableCheck,
  faultTableCheck,
  importRowsCheck,
  dataMapCheck,
  docPathsCheck,
];

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
