import { expect, it } from "vitest";
import { defects, spoil } from "./defects.ts";
import { ROOT, sourcesIn } from "./server-copy.ts";

const sources = await sourcesIn(ROOT);

// Without this, a change of the sources would be noticed by the nightly run only.
it.each(Object.entries(defects))("%s: still fits the sources, in one place", (_, changes) => {
  expect(spoil(sources, changes).size).toBeGreaterThan(0);
});
