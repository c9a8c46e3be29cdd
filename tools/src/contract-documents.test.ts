import { Validator } from "@seriousme/openapi-schema-validator";
import { AgentFile, ErrorBody, SessionEvaluatedEvent, SessionList } from "@svc/contract/schemas";
import { expect, it } from "vitest";
import {
  adminOpenApi,
  adminOpenApiText,
  agentSchema,
  agentSchemaText,
  docComments,
  openApi,
  openApiText,
  scenarioSchema,
  scenarioSchemaText,
  tourSchema,
  tourSchemaText,
} from "./contract-documents.ts";
import { temporaryRepository } from "./temporary-repository.ts";

const text = openApiText();
const document = JSON.parse(text) as OpenApi;

it("is valid OpenAPI 3.1", async () => {
  expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  const broken: Parameters<Validator["validate"]>[0] = JSON.parse(
    text.replace('"in": "query"', '"in": "elsewhere"'),
  );
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
});

it("notices that the committed OpenAPI file differs, and writes it again", () => {
  const check = openApi(temporaryRepository({ "contract/openapi.json": `${text} ` }));
  expect(check.problems()).toEqual([
    "contract/openapi.json is not what the contract says. Run `npm run generate` and commit it.",
  ]);
  check.write?.();
  expect(check.problems()).toEqual([]);
});

it("makes a valid admin API, and notices when the committed one differs", async () => {
  const admin = adminOpenApiText();
  expect(await new Validator().validate(JSON.parse(admin))).toEqual({ valid: true });
  const check = adminOpenApi(temporaryRepository({ "contract/admin-openapi.json": "{}" }));
  expect(check.problems()).toHaveLength(1);
  check.write?.();
  expect(check.problems()).toEqual([]);
  const referred = new Set(
    [...admin.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name),
  );
  const { components } = JSON.parse(admin) as OpenApi;
  expect(Object.keys(components.schemas).filter((name) => !referred.has(name))).toEqual([]);
});

it("describes the two exports, under /v1, and nothing else", () => {
  const operations = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.keys(item),
  ]);
  expect(operations).toEqual([
    ["/v1/sessions.json", ["get"]],
    ["/v1/sessions.csv", ["get"]],
  ]);
});

it("bounds since by int64 exactly, where JavaScript's numbers would round", () => {
  expect(text).toContain('"minimum": -9223372036854775808,');
  expect(text).toContain('"maximum": 9223372036854775807,');
});

it("describes every schema and every one of its properties", () => {
  const silent = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    Object.entries({ "": schema, ...schema.properties })
      .filter(([, part]) => !part.description)
      .map(([property]) => `${name}.${property}`),
  );
  expect(silent).toEqual([]);
});

it("refers only to what it holds, and holds only what it refers to", () => {
  const referred = new Set(text.match(/#\/components\/\w+\/\w+/g));
  const { securitySchemes: _, ...groups } = document.components;
  const held = Object.entries(groups).flatMap(([group, entries]) =>
    Object.keys(entries).map((name) => `#/components/${group}/${name}`),
  );
  expect([...referred].toSorted((a, b) => a.localeCompare(b))).toEqual(
    held.toSorted((a, b) => a.localeCompare(b)),
  );
});

it("gives examples that its schemas accept", () => {
  const page = document.paths["/v1/sessions.json"]!.get!.responses["200"]!.content;
  const pages = Object.values(page["application/json"]!.examples!).map(({ value }) => value);
  expect(pages.map((value) => SessionList.safeParse(value).success)).toEqual([true, true, true]);

  const errors = Object.values(document.components.responses).map(
    ({ content }) => content["application/json"]!.example,
  );
  expect(errors.filter((error) => !ErrorBody.safeParse(error).success)).toEqual([]);
  expect(errors).toHaveLength(5);

  const { requestBody } = document.webhooks["session.evaluated"]!.post!;
  const event = requestBody!.content["application/json"]!.example;
  expect(SessionEvaluatedEvent.safeParse(event).success).toBe(true);

  const { example, schema } = document.components.parameters.cursor!;
  expect(example).toMatch(new RegExp(schema.pattern!));
});

type Content = Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;

interface Operation {
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
}

interface Described {
  description?: string;
  properties?: Record<string, Described>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: object;
    schemas: Record<string, Described>;
    responses: Record<string, { content: Content }>;
    parameters: Record<string, { example: unknown; schema: { pattern?: string } }>;
  };
}

interface Schema {
  description?: string;
  pattern?: string;
  examples?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
}

/** Every schema inside, by its place. */
function inside(schema: Schema, at = ""): [place: string, schema: Schema][] {
  const more: [string, Schema | boolean | undefined][] = [
    ...Object.entries(schema.properties ?? {}),
    ["[]", schema.items],
    ["*", schema.additionalProperties],
    ["*", schema.anyOf?.[0]],
  ];
  const deeper = more.flatMap(([name, one]) =>
    typeof one === "object" ? inside(one, `${at}.${name}`) : [],
  );
  return [[at, schema], ...deeper];
}

const all = inside(JSON.parse(agentSchemaText()) as Schema);

it.each([
  ["contract/agent.schema.json", agentSchema],
  ["contract/scenario.schema.json", scenarioSchema],
  ["contract/tour.schema.json", tourSchema],
] as const)("notices that the committed %s differs, and writes it again", (path, schema) => {
  const check = schema(temporaryRepository({ [path]: "{}" }));
  expect(check.problems()).toEqual([
    `${path} is not what the contract says. Run \`npm run generate\` and commit it.`,
  ]);
  check.write?.();
  expect(check.problems()).toEqual([]);
});

it("describes every field of an agent, of a scenario and of a tour", () => {
  expect(tourSchemaText()).not.toContain('"description": ""');
  expect(scenarioSchemaText()).not.toContain('"description": ""');
  expect(scenarioSchemaText().match(/"description"/g)!.length).toBeGreaterThan(20);
  const fields = all.flatMap(([at, { properties = {} }]) =>
    Object.entries(properties).map(([name, field]) => [`${at}.${name}`, field] as const),
  );
  expect(fields.length).toBeGreaterThan(30);
  expect(fields.filter(([, field]) => !field.description).map(([at]) => at)).toEqual([]);
});

it("offers examples that fit their own pattern", () => {
  const examples = all.flatMap(([, { pattern, examples: words = [] }]) =>
    words.map((word) => [word, pattern!] as const),
  );
  expect(examples.length).toBeGreaterThan(5);
  expect(examples.filter(([word, pattern]) => !new RegExp(pattern).test(word))).toEqual([]);
});

it("is as strict about keys as the contract's own schema", () => {
  const places = all.filter(([, schema]) => schema.properties !== undefined);
  expect(places.filter(([, schema]) => schema.additionalProperties !== false)).toEqual([]);
  expect(AgentFile.safeParse({ name: "Ada", nme: "Ada" }).success).toBe(false);
});

it("reads the comments of exported types and of their properties", () => {
  const source = `
/** Not this: it is not exported. */
interface Hidden {}

/**
 * A parcel, on its
 * way.
 *
 * - \`light\`: under
 *   a kilo
 * - \`heavy\`: all others
 */
export interface Parcel {
  /** Who gets it. */
  to: string;
  silent: number;
  /**
   * Its weight
   * in grams.
   */
  weight?: number;
}

/** Any name. */
export type Name = string;
`;
  expect(docComments(source)).toEqual({
    Parcel: {
      comment: "A parcel, on its way.\n\n- `light`: under   a kilo\n- `heavy`: all others",
      properties: { to: "Who gets it.", silent: "", weight: "Its weight in grams." },
    },
    Name: { comment: "Any name.", properties: {} },
  });
});
