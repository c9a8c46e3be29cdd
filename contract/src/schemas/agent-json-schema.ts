import * as z from "zod";
import * as agent from "./agent.ts";
import type { JsonSchema } from "./json-schemas.ts";

/** The doc comments of a type of the contract's, by its name. */
export type Documented = (
  type: string,
) => { comment: string; properties: Record<string, string> } | undefined;

/** The JSON Schema of `agent.yaml`, for editors. */
export function agentJsonSchema(documented: Documented): JsonSchema {
  return editorJsonSchema(agent.AgentFile, agent, documented);
}

/**
 * For editors: draft 7, the one they all know, in one piece, with the doc comments of the
 * contract's types as descriptions.
 */
export function editorJsonSchema(
  file: z.ZodType,
  schemas: Record<string, unknown>,
  documented: Documented,
): JsonSchema {
  const types = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  return z.toJSONSchema(file, {
    target: "draft-7",
    override: ({ zodSchema, jsonSchema }) => {
      const type = documented(types.get(zodSchema) ?? "");
      if (type === undefined) return;
      jsonSchema.description = type.comment;
      for (const [name, property] of Object.entries(jsonSchema.properties ?? {})) {
        if (typeof property === "object") property.description = type.properties[name] ?? "";
      }
    },
  }) as JsonSchema;
}
