import { expect, it } from "vitest";
import { drift } from "./drift.ts";
import type { AsyncDriftCheck } from "./drift-check.ts";

function check(name: string, problems: string[]): AsyncDriftCheck {
  let left = problems;
  return { name, summary: () => "2 files", problems: () => left, write: () => (left = []) };
}

async function run(
  checks: AsyncDriftCheck[],
  write: boolean,
): Promise<{ ok: boolean; lines: string[] }> {
  const lines: string[] = [];
  return { ok: await drift(checks, { write, tell: (line) => lines.push(line) }), lines };
}

it("tells every problem of every check, and fails when there is one", async () => {
  const { ok, lines } = await run(
    [check("a", ["a drifted"]), check("b", []), check("c", ["c drifted"])],
    false,
  );
  expect(ok).toBe(false);
  expect(lines).toEqual([
    "DRIFTED a: 2 files",
    "  - a drifted",
    "ok      b: 2 files",
    "DRIFTED c: 2 files",
    "  - c drifted",
  ]);
});

it("passes when nothing drifted", async () => {
  expect((await run([check("a", [])], false)).ok).toBe(true);
});

it("makes again what can be made before it looks, when asked to write", async () => {
  expect(await run([check("a", ["a drifted"])], true)).toEqual({
    ok: true,
    lines: ["ok      a: 2 files"],
  });
});

it("still fails after writing when what drifted cannot be made again", async () => {
  const { write: _, ...byHand } = check("a", ["a drifted"]);
  expect((await run([byHand], true)).ok).toBe(false);
});

it("waits for a check that needs time", async () => {
  const late = { ...check("a", []), problems: () => Promise.resolve(["a drifted late"]) };
  expect(await run([late, check("b", [])], false)).toEqual({
    ok: false,
    lines: ["DRIFTED a: 2 files", "  - a drifted late", "ok      b: 2 files"],
  });
});
