import { expect, test } from "vitest";
import { isTooLarge, metadataHint } from "./metadata-limits.ts";

// S4
test("more than is stored is refused and never cut", () => {
  const sixtyFive = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`k${i}`, ""]));
  const five = Object.fromEntries(
    Array.from({ length: 5 }, (_, i) => [`k${i}`, "x".repeat(8_000)]),
  );
  for (const refused of [sixtyFive, five, { a: "é".repeat(4_097) }]) {
    expect(isTooLarge(refused)).toBe(true);
    expect(metadataHint(refused)).toContain("too large");
  }
  expect(isTooLarge({ a: "é".repeat(4_096) })).toBe(false);
});

test("what could not be encoded is told by its name", () => {
  expect(metadataHint("cycle")).toBe('The metadata\'s "cycle" cannot be encoded as JSON.');
});
