import { agentJsonSchema, scenarioJsonSchema } from "@svc/contract/schemas";
import { docComments } from "./doc-comments.ts";
import type { DriftCheck } from "./drift-check.ts";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

export const agentSchemaCheck: DriftCheck = agentSchema(repository);
export const scenarioSchemaCheck: DriftCheck = scenarioSchema(repository);

/** contract/agent.schema.json is committed: editors complete `agent.yaml` with it. */
export function agentSchema(files: Repository): DriftCheck {
  return editorSchema(files, "agent", agentSchemaText);
}

/** contract/scenario.schema.json is committed: editors complete `scenarios/*.yaml` with it. */
export function scenarioSchema(files: Repository): DriftCheck {
  return editorSchema(files, "scenario", scenarioSchemaText);
}

function editorSchema(files: Repository, of: string, text: () => string): DriftCheck {
  const path = `contract/${of}.schema.json`;
  return {
    name: `${of}-schema`,
    summary: () => `${path} against the contract's types and schemas`,
    problems: () =>
      files.read(path) === text()
        ? []
        : [`${path} is not what the contract says. Run \`npm run generate\` and commit it.`],
    write: () => files.write(path, text()),
  };
}

/** Schema and rules from the contract's zod schemas, words from the doc comments of its types. */
export function agentSchemaText(): string {
  return documentText("Svc agent", agentJsonSchema, "agent");
}

export function scenarioSchemaText(): string {
  return documentText("Svc scenario", scenarioJsonSchema, "scenario");
}

function documentText(title: string, make: typeof agentJsonSchema, types: string): string {
  const comments = docComments(repository.read(`contract/src/types/${types}.ts`)!);
  const { $schema, ...schema } = make((name) => comments[name]);
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
}
