import * as z from "zod";
import { isObject, orElse, readValue } from "../read-value.ts";
import { invalidRequest } from "./api-error.ts";

/** What OpenAI takes in a strict schema: bounds, and words it does not know. */
const MAX_DEPTH = 10;
const MAX_PROPERTIES = 5_000;
const notTaken = ["allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

/**
 * Refuses what OpenAI refuses in a strict schema: an object that allows further keys or leaves one
 * optional, a root that is no object, words it does not support, too much of it.
 */
export function checkStrictSchema(name: string, schema: Record<string, unknown>): void {
  let properties = 0;
  const refuse = (at: string[], why: string): never => {
    const where = at.length === 0 ? "its root" : `'${at.join(".")}'`;
    throw invalidRequest(
      `Invalid schema for response_format '${name}': ${where} ${why}.`,
      "invalid_schema",
      "response_format",
    );
  };
  const visit = (node: unknown, at: string[], depth: number): void => {
    if (!isObject(node)) return;
    if (depth > MAX_DEPTH) refuse(at, `is nested deeper than ${MAX_DEPTH} levels`);
    for (const word of notTaken) {
      if (Object.hasOwn(node, word)) refuse(at, `uses '${word}', which a strict schema may not`);
    }
    if (isObject(node["properties"])) {
      const keys = Object.keys(node["properties"]);
      const required: unknown[] = Array.isArray(node["required"]) ? node["required"] : [];
      if (node["additionalProperties"] !== false)
        refuse(at, "must set additionalProperties: false");
      const free = keys.find((key) => !required.includes(key));
      if (free !== undefined) refuse(at, `must list '${free}' in 'required'`);
      properties += keys.length;
      if (properties > MAX_PROPERTIES) refuse(at, `has more than ${MAX_PROPERTIES} properties`);
      for (const [key, inner] of Object.entries(node["properties"])) {
        visit(inner, [...at, key], depth + 1);
      }
    } else if (node["type"] === "object" && node["additionalProperties"] !== false) {
      refuse(at, "must set additionalProperties: false");
    }
    visit(node["items"], [...at, "items"], depth);
    const either: unknown[] = Array.isArray(node["anyOf"]) ? node["anyOf"] : [];
    for (const inner of either) visit(inner, at, depth);
    if (isObject(node["$defs"])) {
      for (const [key, inner] of Object.entries(node["$defs"])) visit(inner, ["$defs", key], 1);
    }
  };
  if (schema["type"] !== "object") refuse([], "must be an object");
  visit(schema, [], 0);
}

/** The smallest value that a JSON schema allows, as far as our tools and answers use such schemas. */
export function smallestValue(schema: unknown): unknown {
  const { type, enum: words, properties, required } = readValue(schemaNode, schema);
  if (words !== undefined) return words[0];
  switch (type) {
    case "string":
      return "";
    case "array":
      return [];
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 0;
    default:
      return Object.fromEntries(required.map((key) => [key, smallestValue(properties[key])]));
  }
}

const schemaNode = z.object({
  type: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  properties: orElse(z.record(z.string(), z.unknown()), {}),
  required: orElse(z.array(z.string()), []),
});
