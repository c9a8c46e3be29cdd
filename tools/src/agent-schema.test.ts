import { AgentFile } from "@svc/contract/schemas";
import { expect, it } from "vitest";
import { agentSchema, agentSchemaText } from "./agent-schema.ts";
import { agentReference } from "./docs/agent-reference.ts";
import { temporaryRepository } from "./temporary-repository.ts";

const path = "contract/agent.schema.json";
const page = "docs/reference/agent-yaml.md";

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

it("notices that the committed file differs, and writes it again", () => {
  const check = agentSchema(temporaryRepository({ [path]: `${agentSchemaText()} ` }));
  expect(check.problems()).toEqual([
    `${path} is not what the contract says. Run \`npm run generate\` and commit it.`,
  ]);
  check.write?.();
  expect(check.problems()).toEqual([]);
});

it("describes every field", () => {
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

it("makes the page of all fields, and notices when it is not in step", () => {
  const marks = "<!-- agent-fields:start -->\n<!-- agent-fields:end -->\n";
  const files = temporaryRepository({ [page]: marks });
  const check = agentReference(files);
  expect(check.problems()).toHaveLength(1);
  check.write!();
  expect(check.problems()).toEqual([]);
  const text = files.read(page)!;
  expect(text).toContain("| `name` | text, at most 80 characters | **required** |");
  expect(text).toContain("| `max_minutes` | whole number, 1 to 30 | `20` |");
  expect(text).toContain("| every `knowledge/*.md` | Markdown files");
  expect(text).toContain("## `languages.<code>`");
  files.write(page, text.replace("1 to 30", "1 to 60"));
  expect(check.problems()).toHaveLength(1);
});
