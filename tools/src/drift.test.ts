import { expect, it } from "vitest";
import { drift } from "./drift.ts";
import type { DriftCheck } from "./drift-check.ts";

function check(name: string, problems: string[]): DriftCheck {
  let left = problems;
  return { name, summary: () => "2 files", problems: () => left, write: () => (left = []) };
}

function run(checks: DriftCheck[], write: boolean): { ok: boolean; lines: string[] } {
  const lines: string[] = [];
  return { ok: drift(checks, { write, tell: (line) => lines.push(line) }), lines };
}

it("tells every problem of every check, and fails when there is one", () => {
  const { ok, lines } = run(
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

it("passes when nothing drifted", () => {
  expect(run([check("a", [])], false).ok).toBe(true);
});

it("makes again what can be made before it looks, when asked to write", () => {
  expect(run([check("a", ["a drifted"])], true)).toEqual({
    ok: true,
    lines: ["ok      a: 2 files"],
  });
});

it("still fails after writing when what drifted cannot be made again", () => {
  const { write: _, ...byHand } = check("a", ["a drifted"]);
  expect(run([byHand], true).ok).toBe(false);
});
