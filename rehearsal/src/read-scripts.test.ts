import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { questionWordings, topics } from "./conversation/scripts/conversation-scripts.ts";
import { evaluationScript } from "./evaluation/answer-evaluation.ts";
import { readScripts } from "./read-scripts.ts";

const schema = z.strictObject({ about: z.string() });

test("YAML and JSON are read in the order of their names, other files left alone", () => {
  const folder = folderWith({
    "b.json": '{"about": "two"}',
    "a.yaml": "about: one",
    "notes.md": "about: none",
  });
  expect(readScripts(folder, schema)).toEqual([
    { name: "a.yaml", script: { about: "one" } },
    { name: "b.json", script: { about: "two" } },
  ]);
});

test("a mistake is told with its file and place", () => {
  expect(() => readScripts(folderWith({ "a.yaml": "about: 1" }), schema)).toThrow(
    /a\.yaml: about: expected string, received number$/,
  );
  expect(() => readScripts(folderWith({ "a.yaml": "about: [" }), schema)).toThrow("a.yaml: Flow");
});

test("a folder that is not there holds no scripts", () => {
  expect(readScripts("/nowhere", schema)).toEqual([]);
});

test("the examples in the README are scripts", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const examples = [...readme.matchAll(/^```yaml\n([^]*?)^```/gm)].map((match) => match[1]!);
  const schemas: z.ZodType[] = [evaluationScript, topics, questionWordings];
  for (const [index, one] of schemas.entries()) {
    expect(readScripts(folderWith({ "a.yaml": examples[index]! }), one)).toHaveLength(1);
  }
});

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "scripts-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
