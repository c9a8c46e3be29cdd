import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "..");

const entryPoints = globSync("**/index.ts", { cwd: SOURCE });

// A store function states no rule: a module that called it could write what no rule allows.
test.each(entryPoints)("%s exports nothing from a store", (path) => {
  const text = readFileSync(join(SOURCE, path), "utf8");
  const sources = [...text.matchAll(/\bfrom\s*"([^"]+)"/g)].map(([, source]) => source!);
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((source) => /(?:^|[/-])store\.ts$/.test(source))).toEqual([]);
});
