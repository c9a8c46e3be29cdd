import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { defects } from "./defects.ts";
import { plant } from "./plant.ts";

const EXAMPLE = fileURLToPath(new URL("../../../server/src/agents/example", import.meta.url));

it("are thirty, and each has scenarios that are there", () => {
  expect(new Set(defects.map(({ name }) => name)).size).toBe(30);
  const named = defects.flatMap(({ scenarios }) => scenarios);
  const isThere = (name: string): boolean => existsSync(join(EXAMPLE, `scenarios/${name}.yaml`));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

it.each(defects)("can be planted: $name", async (defect) => {
  const home = await mkdtemp(join(tmpdir(), "svc-defect-"));
  try {
    await plant(EXAMPLE, join(home, "guide"), defect);
  } finally {
    await rm(home, { recursive: true });
  }
});
