import { expect, it } from "vitest";
import { circlesOf, importsOf } from "./import-graph.ts";
import type { Import } from "./import-graph.ts";

function importsIn(text: string): string[] {
  const sources = new Map([
    ["a/one.ts", text],
    ["a/two.ts", ""],
    ["b/index.ts", ""],
  ]);
  const imports = importsOf(sources, new Map([["#b", "b/index.ts"]]));
  return imports.map(({ to, kind }) => `${kind} ${to}`);
}

it.each([
  ['import { a } from "./two.ts";', "value a/two.ts"],
  ['import a, { b } from "./two.ts";', "value a/two.ts"],
  ['import {\n  a,\n  type B,\n} from "./two.ts";', "value a/two.ts"],
  ['import * as a from "./two.ts";', "value a/two.ts"],
  ['import "./two.ts";', "value a/two.ts"],
  ['export * from "../b/index.ts";', "value b/index.ts"],
  ['export { a } from "#b";', "value b/index.ts"],
  ['import type { A } from "./two.ts";', "type a/two.ts"],
  ['export type {\n  A,\n} from "./two.ts";', "type a/two.ts"],
  ['import type from "./two.ts";', "value a/two.ts"],
  ['  return import("./two.ts");', "lazy a/two.ts"],
])("reads %j", (text, expected) => {
  expect(importsIn(text)).toEqual([expected]);
});

it.each([
  'import { a } from "zod";',
  'import { a } from "./gone.ts";',
  'export const from = "./two.ts";',
  'export function a(): void {}\nconst b = [1, "./two.ts"];',
  '// import { a } from "./two.ts";',
])("reads no import of ours in %j", (text) => {
  expect(importsIn(text)).toEqual([]);
});

it("tells two statements on neighbouring lines apart", () => {
  expect(importsIn('import type { A } from "./two.ts";\nimport { b } from "#b";')).toEqual([
    "type a/two.ts",
    "value b/index.ts",
  ]);
});

it("counts files that reach each other as one circle, however many ways there are", () => {
  const edges = ["ab", "ba", "bc", "ca", "cd", "de", "ed", "ef"];
  const imports = edges.map(([from, to]): Import => ({ from: from!, to: to!, kind: "value" }));
  expect(circlesOf(imports)).toEqual([
    ["a", "b", "c"],
    ["d", "e"],
  ]);
  expect(circlesOf(imports.filter(({ to }) => to !== "a" && to !== "d"))).toEqual([]);
});
