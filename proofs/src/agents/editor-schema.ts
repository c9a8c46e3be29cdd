import schema from "@svc/contract/agent.schema.json" with { type: "json" };
import { Ajv } from "ajv";

const validate = new Ajv({ allErrors: true }).compile(schema);

/** What an editor that knows the schema would complain about. */
export function editorComplaints(file: unknown): string[] {
  validate(file);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
