import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { circlesOf, figuresOf, importsOf, isBroken } from "./figures.ts";
import type { Figure, Import } from "./figures.ts";

function figure(name: string, files: Record<string, string>): Figure {
  return figuresOf(new Map(Object.entries(files))).find((one) => one.name === name)!;
}

const lines = (count: number): string => "x\n".repeat(count);

it("counts product, tests and what checks the product apart from each other", () => {
  const files = {
    "contract/src/a.ts": lines(1),
    "sdk/src/a.ts": lines(2),
    "sdk/build/a.ts": lines(4),
    "server/src/a/a.ts": lines(8),
    "server/src/a/a.test.ts": lines(100),
    "server/src/testing/a.ts": lines(3),
    "proofs/src/a.ts": lines(3),
    "proofs/src/a.test.ts": lines(100),
    "rehearsal/src/page.js": lines(3),
    "tools/src/a.ts": lines(3),
    "sdk/playground/a.js": lines(1000),
  };
  const names = ["product lines", "test lines", "lines of proofs, rehearsal, tools and testing"];
  expect(names.map((name) => figure(name, files).value)).toEqual([15, 200, 12]);
  const share = figure("the same as a share of the product", files);
  expect(share.value).toBe(80);
  expect(isBroken(share)).toBe(false);
  const larger = { ...files, "tools/src/b.ts": lines(1) };
  expect(isBroken(figure("the same as a share of the product", larger))).toBe(true);
});

it("tells a circle at run time from one that exists through types only", () => {
  const files = {
    "server/src/a.ts": 'import { b } from "./b.ts";\n',
    "server/src/b.ts": 'import type { A } from "./a.ts";\n',
  };
  expect(figure("import circles at run time", files).value).toBe(0);
  expect(figure("import circles by types", files).value).toBe(1);
  const atRunTime = { ...files, "server/src/b.ts": 'import { a } from "./a.ts";\n' };
  expect(isBroken(figure("import circles at run time", atRunTime))).toBe(true);
  expect(figure("import circles by types", atRunTime).value).toBe(0);
});

it("follows the names that packages publish", () => {
  const found = figure("imports between conversation and evaluation", {
    "server/package.json": '{ "imports": { "#evaluation": "./src/evaluation/index.ts" } }',
    "server/src/conversation/plan.ts": 'import { fold } from "#evaluation";\n',
    "server/src/evaluation/index.ts": "",
  });
  expect(isBroken(found)).toBe(true);
  expect(found.details).toEqual([
    "server/src/conversation/plan.ts imports server/src/evaluation/index.ts",
  ]);
});

it("names small files, but no entry point", () => {
  const found = figure("files under 30 lines that are no entry points", {
    "server/src/main.ts":
      'import "./a/index.ts";\nimport "./a/small.ts";\nimport "./a/large.ts";\n',
    "server/src/a/index.ts": lines(1),
    "server/src/a/small.ts": lines(29),
    "server/src/a/large.ts": lines(30),
  });
  expect(found.details).toEqual(["server/src/a: small.ts"]);
});

it("names a folder with more than 25 source files", () => {
  const names = Array.from({ length: 26 }, (_, index) => `sdk/src/call/${index}.ts`);
  const found = figure(
    "folders with more than 25 source files",
    Object.fromEntries([...names, "sdk/src/call/0.test.ts", "sdk/src/x.ts"].map((n) => [n, ""])),
  );
  expect(found.details).toEqual(["sdk/src/call: 26"]);
});

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

it("prints every figure of this repository when it is run", () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "figures.ts")],
    {
      encoding: "utf8",
    },
  );
  expect(stderr).toBe("");
  for (const { name } of figuresOf(new Map())) expect(stdout).toContain(` ${name}: `);
}, 30_000);
