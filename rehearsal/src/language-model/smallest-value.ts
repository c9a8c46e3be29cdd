import { isObject } from "../read-value.ts";

/** The smallest value that a JSON schema allows, with null before all else. */
export function smallestValue(schema: unknown, root: unknown = schema): unknown {
  if (!isObject(schema)) return null;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0] as unknown;
  if (typeof schema["$ref"] === "string") return smallestValue(resolve(schema["$ref"], root), root);
  const type: unknown = schema["type"];
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const either: unknown[] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  if (types.includes("null") || either.some((one) => isObject(one) && one["type"] === "null")) {
    return null;
  }
  if (either.length > 0) return smallestValue(either[0], root);
  switch (types[0]) {
    case "string":
      return "";
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return typeof schema["minimum"] === "number" ? schema["minimum"] : 0;
    default:
      return smallestObject(schema, root);
  }
}

function smallestObject(schema: Record<string, unknown>, root: unknown): unknown {
  const properties = new Map(
    isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [],
  );
  const required: unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.fromEntries(
    required
      .filter((key) => typeof key === "string")
      .map((key) => [key, smallestValue(properties.get(key), root)]),
  );
}

function resolve(reference: string, root: unknown): unknown {
  return reference
    .split("/")
    .slice(1)
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), root);
}
