import { editorJsonSchema } from "./agent-json-schema.ts";
import type { Documented } from "./agent-json-schema.ts";
import type { JsonSchema } from "./json-schemas.ts";
import * as scenario from "./scenario.ts";

/** The JSON Schema of a scenario file, for editors. */
export function scenarioJsonSchema(documented: Documented): JsonSchema {
  return editorJsonSchema(scenario.ScenarioFile, scenario, documented);
}
