import { describe, expect, it } from "vitest";
import * as z from "zod";
import { answerSchema } from "./answer-schema.ts";
import { HONEST, RUBRIC } from "./check/check-under-test.ts";

type Schema = { properties?: Record<string, Schema>; [keyword: string]: unknown };

const schema = answerSchema(RUBRIC) as Schema;
const accepts = (answer: unknown): boolean => z.fromJSONSchema(schema).safeParse(answer).success;

describe("the schema of an answer", () => {
  it("takes an answer with every key, and none with a key more or less", () => {
    expect(accepts(HONEST)).toBe(true);
    expect(accepts({ ...HONEST, mood: "good" })).toBe(false);
    const { summary: _, ...without } = HONEST;
    expect(accepts(without)).toBe(false);
    expect(accepts({ ...HONEST, questions: { tool: null } })).toBe(false);
    expect(accepts({ ...HONEST, insights: { main_need: null, site: null } })).toBe(true);
  });

  it("has the agent's own keys", () => {
    expect(Object.keys(schema.properties?.["questions"]?.properties ?? {})).toEqual([
      "team_size",
      "tool",
      "timeline",
    ]);
    expect(Object.keys(schema.properties?.["insights"]?.properties ?? {})).toEqual([
      "main_need",
      "site",
    ]);
  });

  it("asks for a verdict only where there are criteria", () => {
    const { qualification: _, ...rubric } = RUBRIC;
    expect(schema.properties).toHaveProperty("qualification");
    expect(answerSchema(rubric)).not.toHaveProperty("properties.qualification");
  });

  it("is strict at every depth", () => {
    const objects = JSON.stringify(schema).match(/"type":"object"/g) ?? [];
    let strict = 0;
    JSON.stringify(schema, (_key, value: Schema | null) => {
      if (value?.["type"] !== "object") return value;
      expect(value["required"]).toEqual(Object.keys(value.properties ?? {}));
      expect(value["additionalProperties"]).toBe(false);
      strict += 1;
      return value;
    });
    expect(strict).toBe(objects.length);
  });
});
