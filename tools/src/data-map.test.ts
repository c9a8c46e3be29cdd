import { expect, it } from "vitest";
import { dataMap } from "./data-map.ts";
import { repository } from "./repository.ts";
import { temporaryRepository } from "./temporary-repository.ts";

const SCHEMA = "server/schema.sql";
const PAGE = "docs/reference/data-map.md";

const TABLES = `
CREATE TABLE public.people (
    id integer NOT NULL,
    name text NOT NULL,
    tags text[],
    CONSTRAINT people_name_check CHECK ((name <> ''::text))
);

CREATE TABLE public.people_default (
    name text NOT NULL
);

ALTER TABLE ONLY public.people ATTACH PARTITION public.people_default DEFAULT;
`;
const NAME = "COMMENT ON COLUMN public.people.name IS 'personal: it''s a name · a year · us';\n";
const TAGS = "COMMENT ON COLUMN public.people.tags IS 'not personal: colours';\n";

const MARKS = "<!-- data-map:start -->\n<!-- data-map:end -->\n";

/** What is wrong with a page that was made from this schema. */
function problems(schema: string): string[] {
  const check = dataMap(temporaryRepository({ [SCHEMA]: schema, [PAGE]: MARKS }));
  check.write!();
  return check.problems();
}

it("makes the page from the schema's comments, and notices when it is not in step", () => {
  const files = temporaryRepository({ [SCHEMA]: TABLES + NAME + TAGS, [PAGE]: MARKS });
  const check = dataMap(files);
  expect(check.problems()).toHaveLength(1);
  check.write!();
  expect(check.problems()).toEqual([]);
  expect(check.summary()).toContain("2 columns that can hold text, 1 of them personal");
  const page = files.read(PAGE)!;
  expect(page).toContain("| `people.name` | it's a name | a year | us |");
  expect(page).toContain("| `people.tags` | colours |");
  expect(page).not.toContain("people_default");
  files.write(PAGE, page.replace("a year", "always"));
  expect(check.problems()).toHaveLength(1);
});

it.each([
  ["nothing is said", ""],
  [
    "it is not said for how long",
    "COMMENT ON COLUMN public.people.tags IS 'personal: tags · us';\n",
  ],
  ["it is said in other words", "COMMENT ON COLUMN public.people.tags IS 'tags of a person';\n"],
  ["another column is meant", "COMMENT ON COLUMN public.people.id IS 'not personal: a number';\n"],
])("fails for a column of which %s", (_what, comment) => {
  expect(problems(TABLES + NAME + comment)).toEqual([
    expect.stringMatching(/^people\.tags does not say whether it is personal\./),
  ]);
});

it("fails when a text column is added to our own schema and nothing is said of it", () => {
  const schema = repository.read(SCHEMA)!;
  expect(problems(schema)).toEqual([]);
  const planted = schema.replace("    email text,\n", "    email text,\n    nickname text,\n");
  expect(planted).not.toBe(schema);
  expect(problems(planted)).toEqual([expect.stringContaining(".nickname does not say")]);
});

it("fails without a schema", () => {
  expect(problems("")).toEqual([expect.stringContaining("has no tables")]);
});
