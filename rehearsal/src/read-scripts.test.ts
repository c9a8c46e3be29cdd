import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { questionWordings } from "./conversation/scripts/question-wordings.ts";
import { topics } from "./conversation/scripts/topics.ts";
import { evaluationScript } from "./evaluation/script.ts";
import { readScripts } from "./read-scripts.ts";
import { object, text } from "./shape.ts";
import type { Shape } from "./shape.ts";

const shape = object({ about: text });

test("YAML and JSON are read in the order of their names, other files left alone", () => {
  const folder = folderWith({
    "b.json": '{"about": "two"}',
    "a.yaml": "about: one",
    "notes.md": "about: none",
  });
  expect(readScripts(folder, shape)).toEqual([
    { name: "a.yaml", script: { about: "one" } },
    { name: "b.json", script: { about: "two" } },
  ]);
});

test("a mistake is told with its file and place", () => {
  expect(() => readScripts(folderWith({ "a.yaml": "about: 1" }), shape)).toThrow(
    /a\.yaml: about: expected a string, not a number$/,
  );
  expect(() => readScripts(folderWith({ "a.yaml": "about: [" }), shape)).toThrow("a.yaml: Flow");
});

test("a folder that is not there holds no scripts", () => {
  expect(readScripts("/nowhere", shape)).toEqual([]);
});

test("the examples in the README are scripts", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const examples = [...readme.matchAll(/^```yaml\n([^]*?)^```/gm)].map((match) => match[1]!);
  const shapes: Shape<unknown>[] = [evaluationScript, topics, questionWordings];
  for (const [index, one] of shapes.entries()) {
    expect(readScripts(folderWith({ "a.yaml": examples[index]! }), one)).toHaveLength(1);
  }
});

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "scripts-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}
