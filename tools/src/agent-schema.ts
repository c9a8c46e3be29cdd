import { agentJsonSchema } from "@svc/contract/schemas";
import { docComments } from "./doc-comments.ts";
import type { DriftCheck } from "./drift-check.ts";
import { repository } from "./repository.ts";
import type { Repository } from "./repository.ts";

const path = "contract/agent.schema.json";

export const agentSchemaCheck: DriftCheck = agentSchema(repository);

/** contract/agent.schema.json is committed: editors complete `agent.yaml` with it. */
export function agentSchema(files: Repository): DriftCheck {
  return {
    name: "agent-schema",
    summary: () => `${path} against the contract's types and schemas`,
    problems: () =>
      files.read(path) === agentSchemaText()
        ? []
        : [`${path} is not what the contract says. Run \`npm run generate\` and commit it.`],
    write: () => files.write(path, agentSchemaText()),
  };
}

/** Schema and rules from the contract's zod schemas, words from the doc comments of its types. */
export function agentSchemaText(): string {
  const types = docComments(repository.read("contract/src/types/agent.ts")!);
  const { $schema, ...schema } = agentJsonSchema((name) => types[name]);
  const document = { $schema, title: "Svc agent", ...schema };
  return `${JSON.stringify(document, null, 2)}\n`;
}
