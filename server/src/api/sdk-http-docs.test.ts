import { readFileSync } from "node:fs";
import * as schemas from "@svc/contract/schemas";
import { describe, expect, it } from "vitest";
import * as z from "zod";

const page = readFileSync(new URL("../../../docs/reference/sdk-http.md", import.meta.url), "utf8");
const samples = [...page.matchAll(/^```json (\w+)\n(.*?)^```$/gms)].map(
  ([, name, text]) => [name!, text!] as const,
);

describe("the page about the SDK's HTTP", () => {
  it("shows every shape once at least", () => {
    expect(new Set(samples.map(([name]) => name))).toEqual(
      new Set([
        "SdkErrorBody",
        "AgentFacts",
        "Eligibility",
        "SessionStart",
        "SessionStarted",
        "FunnelBeacon",
      ]),
    );
  });

  it.each(samples)("shows a %s as it is", (name, text) => {
    const schema = (schemas as Record<string, unknown>)[name];
    expect(schema).toBeInstanceOf(z.ZodType);
    (schema as z.ZodType).parse(JSON.parse(text));
  });

  it("lists every code of an error and every event", () => {
    const enumOf = (schema: z.ZodType, key: string): string[] => {
      const { properties = {} } = z.toJSONSchema(schema);
      return z.object({ enum: z.array(z.string()) }).parse(properties[key]).enum;
    };
    for (const code of enumOf(schemas.SdkErrorDetail, "code"))
      expect(page).toContain(`| \`${code}\` |`);
    for (const event of enumOf(schemas.FunnelBeacon, "event"))
      expect(page).toContain(`\`${event}\``);
  });
});
