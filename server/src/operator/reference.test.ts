import { expect, it } from "vitest";
import * as z from "zod";
import { commands } from "./commands/index.ts";
import { cliReference } from "./reference.ts";

const { page, schema } = cliReference();

it("the page shows every command with its flags and examples", () => {
  for (const { name, options = [], examples } of commands) {
    expect(page).toMatch(new RegExp(`^###? svc ${name}$`, "m"));
    for (const { flags } of options) expect(page).toContain(`\`${flags}\``);
    for (const [line] of examples) expect(page).toContain(`${line}  # `);
  }
  expect(page.match(/^## \S+: .*\w/gm)?.length).toBeGreaterThan(3);
  expect(page).toContain("| 70 | A defect in svc itself. |");
});

it("the schema describes what every command prints, closed to other keys, and errors", () => {
  const Published = z.object({
    $defs: z.record(z.string(), z.object({ type: z.literal("object") })),
  });
  const { $defs } = Published.parse(JSON.parse(schema));
  expect(Object.keys($defs)).toEqual([...commands.map(({ name }) => name), "error"]);
  expect(schema).toContain('"additionalProperties": false');
});
