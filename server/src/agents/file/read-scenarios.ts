import { join } from "node:path";
import schema from "@svc/contract/scenario.schema.json" with { type: "json" };
import * as schemas from "@svc/contract/schemas";
import type { ScenarioFile } from "@svc/contract/types";
import { agentFolder } from "./agent-folder.ts";
import { explainIssue } from "./explain-issue.ts";
import { textOf } from "./file-kinds.ts";
import { locatedYaml } from "./located-yaml.ts";
import { AgentFileError, fieldName, inOrder, onePerField } from "./mistake.ts";
import type { Mistake } from "./mistake.ts";

/** A scenario and the file that defines it. */
export interface Scenario extends ScenarioFile {
  /** Relative to the agent's folder: `scenarios/en-price.yaml`. */
  file: string;
}

const MAX_BYTES = 100_000;

/**
 * Reads every `scenarios/*.yaml` of an agent's folder, in the order of their names. Throws one
 * error with every mistake in them. They are no part of what is applied.
 * @param shown the folder as the operator named it, for messages
 */
export async function readScenarios(at: string, shown: string = at): Promise<Scenario[]> {
  const folder = agentFolder(at);
  const files = (await folder.list("scenarios")).filter((file) => /\.ya?ml$/.test(file));
  const scenarios: Scenario[] = [];
  const mistakes: Mistake[] = [];
  for (const file of files) {
    const found = await folder.read(file, MAX_BYTES);
    const read =
      "problem" in found
        ? { mistakes: [{ file: join(shown, file), message: found.problem }] }
        : readScenario(found.bytes, join(shown, file));
    if ("mistakes" in read) mistakes.push(...read.mistakes);
    else scenarios.push({ ...read.scenario, file });
  }
  if (mistakes.length > 0) throw new AgentFileError(join(shown, "scenarios"), mistakes);
  return scenarios;
}

function readScenario(
  bytes: Buffer,
  file: string,
): { scenario: ScenarioFile } | { mistakes: Mistake[] } {
  const text = textOf(bytes);
  if (text === undefined)
    return { mistakes: [{ file, message: "This file is no UTF-8 text. Save it as UTF-8." }] };
  const yaml = locatedYaml(text);
  const parsed = schemas.ScenarioFile.safeParse(yaml.value);
  const issues = yaml.value === undefined ? [] : (parsed.error?.issues ?? []);
  const problems = issues
    .flatMap((issue) => explainIssue(issue, yaml.value, schema))
    .map(({ path, message }) => ({ field: path, message }));
  const mistakes = [
    ...yaml.faults.map(({ path, ...fault }) => ({ ...named(file, path), ...fault })),
    ...onePerField(problems).map(({ field, message }) => ({
      ...named(file, field),
      ...yaml.locate(field),
      message,
    })),
  ];
  return mistakes.length === 0 && parsed.success
    ? { scenario: parsed.data }
    : { mistakes: inOrder(mistakes) };
}

function named(file: string, field: PropertyKey[]): { file: string; field?: string } {
  return { file, ...(field.length > 0 && { field: fieldName(field) }) };
}
