import { alertRulesCheck } from "./alert-rules.ts";
import { dataMapCheck } from "./data-map.ts";
import { docPathsCheck } from "./doc-paths.ts";
import {
  configTableCheck,
  dependencyTableCheck,
  faultTableCheck,
  importRowsCheck,
} from "./document-tables.ts";
import type { AsyncDriftCheck } from "./drift-check.ts";
import {
  adminOpenApiCheck,
  agentSchemaCheck,
  openApiCheck,
  scenarioSchemaCheck,
  tourSchemaCheck,
} from "./contract-documents.ts";
import {
  agentReferenceCheck,
  cliReferenceCheck,
  scenarioReferenceCheck,
  tourReferenceCheck,
} from "./reference-pages.ts";
import { promisedTestsCheck } from "./promised-tests.ts";
import { specCoverageCheck } from "./spec-coverage.ts";

const checks: AsyncDriftCheck[] = [
  openApiCheck,
  adminOpenApiCheck,
  agentSchemaCheck,
  agentReferenceCheck,
  scenarioSchemaCheck,
  scenarioReferenceCheck,
  tourSchemaCheck,
  tourReferenceCheck,
  specCoverageCheck,
  cliReferenceCheck,
  configTableCheck,
  dependencyTableCheck,
  faultTableCheck,
  importRowsCheck,
  dataMapCheck,
  alertRulesCheck,
  docPathsCheck,
  promisedTestsCheck,
];

/** Runs the checks one after the other, reporting on each. True when nothing drifted. */
export async function drift(
  checksToRun: AsyncDriftCheck[],
  { write, tell }: { write: boolean; tell: (line: string) => void },
): Promise<boolean> {
  let isInStep = true;
  for (const check of checksToRun) {
    if (write) check.write?.();
    const problems = await check.problems();
    tell(`${problems.length === 0 ? "ok     " : "DRIFTED"} ${check.name}: ${check.summary()}`);
    for (const problem of problems) tell(`  - ${problem}`);
    isInStep &&= problems.length === 0;
  }
  return isInStep;
}

if (process.argv[1] === import.meta.filename) {
  const write = process.argv.includes("--write");
  process.exitCode = (await drift(checks, { write, tell: console.log })) ? 0 : 1;
}
