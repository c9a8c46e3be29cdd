import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as schemas from "./index.ts";

it("has a schema for every object type of the contract", () => {
  const folder = new URL("../types/", import.meta.url);
  const names = readdirSync(folder)
    .flatMap((file) => [
      ...readFileSync(new URL(file, folder), "utf8").matchAll(/^export interface (\w+)/gm),
    ])
    .map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !(name in schemas))).toEqual([]);
});
