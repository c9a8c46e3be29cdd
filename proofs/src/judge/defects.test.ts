import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { defects } from "./defects.ts";

const EVALUATION = new URL("../../../server/src/evaluation/", import.meta.url);

it.each(defects.map(({ name, changes }) => [name, changes] as const))(
  "%s: still fits the sources, in one place",
  (_, changes) => {
    for (const { file, from } of changes) {
      const places = readFileSync(new URL(file, EVALUATION), "utf8").split(from).length - 1;
      expect([file, from, places]).toEqual([file, from, 1]);
    }
  },
);
