import fc from "fast-check";
import { expect, it } from "vitest";
import {
  parseResults,
  readmeIsInStep,
  readmeWith,
  renderResults,
  showsResults,
} from "./results.ts";
import type { Result } from "./results.ts";

const cell = fc
  .string({ unit: fc.constantFrom("a", "≤", " ", "|", "1", "`", "*", "-") })
  .map((text) => text.replaceAll(/\s+/g, " ").trim());

const result: fc.Arbitrary<Result> = fc.record({
  proof: fc.stringMatching(/^[a-z]+(-[a-z]+)*$/),
  promise: cell,
  figure: cell,
  bound: cell,
  verdict: fc.constantFrom("ok", "short"),
  size: cell,
  took: cell,
  date: cell,
  commit: cell,
  machine: cell,
});

it("reads back what it wrote, whatever stands in a cell", () => {
  fc.assert(
    fc.property(fc.uniqueArray(result, { selector: (one) => one.proof }), (results) => {
      const byName = results.toSorted((a, b) => a.proof.localeCompare(b.proof, "en"));
      expect(parseResults(renderResults(results))).toEqual(byName);
    }),
  );
});

const example: Result = {
  proof: "export-loses-nothing",
  promise: "No session is lost.",
  figure: "0 lost",
  bound: "0",
  verdict: "ok",
  size: "20,000 histories",
  took: "31 min 2 s",
  date: "2026-01-02",
  commit: "abcdef0",
  machine: "2 × CPU",
};

it("shows the results between the markers, and touches nothing else", () => {
  const readme = "# Svc\n<!-- proofs:start -->\nold\n<!-- proofs:end -->\nthe rest\n";
  const shown = readmeWith(readme, [example]);
  expect(shown).toBe(`# Svc
<!-- proofs:start -->
| promise | measured | bound | proof |
| --- | --- | --- | --- |
| No session is lost. | 0 lost | 0 | [export-loses-nothing](proofs/src/export-loses-nothing.ts) |
<!-- proofs:end -->
the rest
`);
  expect(readmeWith(shown, [example])).toBe(shown);
});

it("does not hide a shortfall", () => {
  const readme = "<!-- proofs:start --><!-- proofs:end -->";
  expect(readmeWith(readme, [{ ...example, verdict: "short" }])).toContain("0 lost: **short**");
});

it("leaves a text without markers alone, but does not take it for in step", () => {
  expect(readmeWith("# Svc\n", [example])).toBe("# Svc\n");
  expect(showsResults("# Svc\n", [example])).toBe(false);
  expect(showsResults("# Svc\n", [])).toBe(true);
});

it("notices a table that was edited by hand", () => {
  const readme = readmeWith("<!-- proofs:start --><!-- proofs:end -->", [example]);
  expect(showsResults(readme, [example])).toBe(true);
  expect(showsResults(readme.replace("0 lost", "none lost"), [example])).toBe(false);
});

it("finds the README in step with RESULTS.md", async () => {
  expect(await readmeIsInStep(), "npm run prove -- --readme makes the table again").toBe(true);
});
