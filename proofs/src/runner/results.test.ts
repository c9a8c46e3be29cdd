import fc from "fast-check";
import { expect, it } from "vitest";
import type { NamedClaim } from "./claims.ts";
import {
  claimTable,
  headlineTable,
  HEADLINES,
  parseResults,
  renderResults,
  resultProblems,
  withTable,
} from "./results.ts";
import type { Result } from "./results.ts";

const cell = fc
  .string({ unit: fc.constantFrom("a", "≤", " ", "|", "1", "`", "*", "-") })
  .map((text) => text.replaceAll(/\s+/g, " ").trim());

const result: fc.Arbitrary<Result> = fc.record({
  claim: fc.stringMatching(/^[a-z]+(-[a-z]+)*$/),
  figure: cell,
  bound: cell,
  verdict: fc.constantFrom("ok", "short"),
  size: cell,
  took: cell,
  date: cell,
  commit: cell,
  machine: cell,
});
const results = fc
  .uniqueArray(result, { selector: (one) => one.claim })
  .map((all) => all.toSorted((a, b) => a.claim.localeCompare(b.claim, "en")));

it("reads back what it wrote, whatever stands in a cell", () => {
  fc.assert(
    fc.property(results, results, (nightly, full) => {
      expect(parseResults(renderResults({ nightly, full }))).toEqual({ nightly, full });
    }),
  );
});

const example: Result = {
  claim: HEADLINES[0]!,
  figure: "0 lost",
  bound: "0",
  verdict: "ok",
  size: "20,000 histories",
  took: "31 min 2 s",
  date: "2026-01-02",
  commit: "abcdef0",
  machine: "2 × CPU",
};
const claim: NamedClaim = {
  name: HEADLINES[0]!,
  claim: {
    promise: "No session is lost.",
    bound: "0",
    tier: "nightly",
    prove: () => Promise.resolve({ figure: "", ok: true }),
  },
  file: "proofs/src/export.ts",
  covers: [],
};
it("puts a table between the markers, and touches nothing else", () => {
  const text = "# Svc\n<!-- proofs:start -->\nold\n<!-- proofs:end -->\nthe rest\n";
  const shown = "# Svc\n<!-- proofs:start -->\nnew\n<!-- proofs:end -->\nthe rest\n";
  expect(withTable(text, "new\n")).toBe(shown);
  expect(withTable("# Svc\n", "new\n")).toBe("# Svc\n");
});

it("shows the headlines with the newest figure and its age", () => {
  expect(headlineTable({ nightly: [], full: [example] }, [claim])).toBe(
    `| promise | measured | claim |
| --- | --- | --- |
| No session is lost. | 0 lost (2026-01-02) | [${claim.name}](proofs/src/export.ts) |
`,
  );
});

it("does not hide a shortfall, nor that nothing was measured", () => {
  const short = { ...example, verdict: "short" };
  expect(headlineTable({ nightly: [short], full: [] }, [claim])).toContain("0 lost: **short**");
  expect(headlineTable({ nightly: [], full: [] }, [claim])).toContain("not measured yet");
});

it("lists a merged claim under its former names too", () => {
  const merged = { ...claim, claim: { ...claim.claim, formerly: ["old-name"] } };
  expect(claimTable([merged])).toContain(`| ${claim.name} | old-name | No session is lost.`);
});

it("finds a row whose bound is not its proof's, and one that no proof claims", () => {
  const full = [{ ...example, bound: "1" }];
  const nightly = [{ ...example, claim: "nobody-claims-this" }];
  expect(resultProblems({ nightly: [], full: [example] }, [claim])).toEqual([]);
  expect(resultProblems({ nightly, full }, [claim])).toHaveLength(2);
});
