import * as z from "zod";
import * as admin from "./admin.ts";
import * as changes from "./admin-changes.ts";
import * as evaluation from "./evaluation.ts";
import * as sessionList from "./export.ts";
import * as session from "./session.ts";
import * as webhook from "./webhook.ts";

const APIS: Record<"customers" | "admin", Record<string, z.ZodType>> = {
  customers: { ...session, ...evaluation, ...sessionList, ...webhook },
  // A row of the command line's list stays out: those of the API say more.
  admin: Object.fromEntries(
    Object.entries({ ...admin, ...changes }).filter(([name]) => name !== "SessionRow"),
  ),
};

/** A JSON Schema (draft 2020-12) of every shape of an API, by name; each refers to the others by `refTo`. */
export function jsonSchemas(
  refTo: (name: string) => string,
  api: "customers" | "admin" = "customers",
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(APIS[api])) registry.add(schema, { id: name });
  const made = z.toJSONSchema(registry, {
    uri: refTo,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  for (const schema of Object.values(made.schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return made.schemas as Record<string, JsonSchema>;
}

export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  [keyword: string]: unknown;
}

function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  // `format` says it to people and tools; zod's pattern for the same is a page long.
  if (schema.format !== undefined) delete schema.pattern;
  delete schema.propertyNames;
}
