import { expect, it } from "vitest";
import { jsonSchemas } from "./json-schemas.ts";

const schemas = jsonSchemas((name) => `#/components/schemas/${name}`);

it("gives the export's items and the webhook's data the same fields", () => {
  const { Session, SelectedSession, SessionEvaluatedEvent, SessionList } = schemas;
  expect(SelectedSession?.properties).toEqual(Session?.properties);
  expect(SelectedSession).not.toHaveProperty("required");
  expect(SessionList?.properties?.items?.items).toEqual({
    $ref: "#/components/schemas/SelectedSession",
  });
  expect(SessionEvaluatedEvent?.properties?.data).toEqual({
    $ref: "#/components/schemas/Session",
  });
});

it("says what the zod schemas say beyond types", () => {
  expect(schemas.Metadata).toEqual({
    type: "object",
    additionalProperties: { type: "string" },
    minProperties: 1,
  });
  expect(schemas.Session).toMatchObject({
    required: ["id", "agent_id", "status", "created_at"],
    additionalProperties: false,
    properties: {
      id: { type: "string", format: "uuid" },
      transcript: { minItems: 1 },
      summary: { minLength: 1 },
      duration_secs: { type: "integer", minimum: 0 },
      created_at: { type: "string", format: "date-time" },
    },
  });
});
