import { expect, it } from "vitest";
import { temporaryRepository } from "./temporary-repository.ts";
import {
  agentReference,
  cliReference,
  cliReferenceCheck,
  scenarioReference,
} from "./reference-pages.ts";

const page = "docs/reference/cli.md";
const agentPage = "docs/reference/agent-yaml.md";
const scenarioPage = "docs/reference/scenario-yaml.md";
const reference = { page: "### svc doctor\n", schema: "{}\n" };

it("finds a page or a schema that is not what the commands say, and writes it again", () => {
  const files = temporaryRepository({
    [page]: reference.page,
    "docs/reference/cli-output.schema.json": "{ }\n",
  });
  const check = cliReference(files, () => reference);
  expect(check.problems()).toEqual([
    "docs/reference/cli-output.schema.json is not in step. Run `npm run generate` and commit it.",
  ]);
  check.write!();
  expect(check.problems()).toEqual([]);
  files.write(page, "### svc surgeon\n");
  expect(check.problems()).toHaveLength(1);
});

it("asks the server itself", () => {
  expect(Number.parseInt(cliReferenceCheck.summary(), 10)).toBeGreaterThan(10);
}, 30_000);

it("makes the page of all fields of an agent, and notices when it is not in step", () => {
  const marks = "<!-- agent-fields:start -->\n<!-- agent-fields:end -->\n";
  const files = temporaryRepository({ [agentPage]: marks });
  const check = agentReference(files);
  expect(check.problems()).toHaveLength(1);
  check.write!();
  expect(check.problems()).toEqual([]);
  const text = files.read(agentPage)!;
  expect(text).toContain("| `name` | text, at most 80 characters | **required** |");
  expect(text).toContain("| `max_minutes` | whole number, 1 to 30 | `20` |");
  expect(text).toContain("| every `knowledge/*.md` | Markdown files");
  for (const place of ["languages.<code>", "places.<name>", "actions.<name>.params.<name>"])
    expect(text).toContain(`## \`${place}\``);
  files.write(agentPage, text.replace("1 to 30", "1 to 60"));
  expect(check.problems()).toHaveLength(1);
});

it("makes the page of all fields of a scenario, with what a line of a script may be", () => {
  const marks = "<!-- scenario-fields:start -->\n<!-- scenario-fields:end -->\n";
  const files = temporaryRepository({ [scenarioPage]: marks });
  scenarioReference(files).write!();
  const text = files.read(scenarioPage)!;
  expect(text).toContain("| `says` | list of at most 50: text, at most 4,000 characters, or see");
  expect(text).toContain("## `visitor.says[]`");
  expect(text).toContain("| `dismisses_card` | `true` |");
  expect(text).toContain("| `most_words_per_turn` | whole number, 1 to 500 | `90` |");
  expect(scenarioReference(files).problems()).toEqual([]);
});
