import { expect, it } from "vitest";
import { scenarioSchema, scenarioSchemaText } from "./agent-schema.ts";
import { scenarioReference } from "./docs/agent-reference.ts";
import { temporaryRepository } from "./temporary-repository.ts";

const path = "contract/scenario.schema.json";
const page = "docs/reference/scenario-yaml.md";

it("notices that the committed file differs, and writes it again", () => {
  const check = scenarioSchema(temporaryRepository({ [path]: "{}" }));
  expect(check.problems()).toEqual([
    `${path} is not what the contract says. Run \`npm run generate\` and commit it.`,
  ]);
  check.write?.();
  expect(check.problems()).toEqual([]);
});

it("describes every field", () => {
  expect(scenarioSchemaText()).not.toContain('"description": ""');
  expect(scenarioSchemaText().match(/"description"/g)!.length).toBeGreaterThan(20);
});

it("makes the page of all fields, with what a line of a script may be", () => {
  const marks = "<!-- scenario-fields:start -->\n<!-- scenario-fields:end -->\n";
  const files = temporaryRepository({ [page]: marks });
  scenarioReference(files).write!();
  const text = files.read(page)!;
  expect(text).toContain("| `says` | list of at most 50: text, at most 4,000 characters, or see");
  expect(text).toContain("## `visitor.says[]`");
  expect(text).toContain("| `dismisses_card` | `true` |");
  expect(text).toContain("| `most_words_per_turn` | whole number, 1 to 500 | `45` |");
  expect(scenarioReference(files).problems()).toEqual([]);
});
