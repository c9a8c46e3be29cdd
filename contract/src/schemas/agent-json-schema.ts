import * as z from "zod";
import * as agent from "./agent.ts";
import type { JsonSchema } from "./json-schemas.ts";

/**
 * The JSON Schema of `agent.yaml`, for editors: draft 7, the one they all know, in one piece, with
 * the doc comments of the contract's types as descriptions.
 */
export function agentJsonSchema(
  documented: (type: string) => { comment: string; properties: Record<string, string> } | undefined,
): JsonSchema {
  const types = new Map<unknown, string>(
    Object.entries(agent).map(([name, schema]) => [schema, name]),
  );
  return z.toJSONSchema(agent.AgentFile, {
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
