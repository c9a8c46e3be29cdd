import { expect, it } from "vitest";
import { bundleConsole } from "./build.ts";

const FIRST_PAGE_KB = 150;

it(`the first page takes at most ${FIRST_PAGE_KB} KB`, { timeout: 120_000 }, async () => {
  const built = await bundleConsole();
  const first = built.filter((file) => file.first);
  const bytes = first.reduce((sum, { brotli }) => sum + brotli.length, 0);
  expect(bytes / 1_000, first.map(({ name }) => name).join()).toBeLessThanOrEqual(FIRST_PAGE_KB);
  // So that an empty page cannot pass.
  expect(first.map(({ name }) => name)).toContain("index.html");
  expect(bytes).toBeGreaterThan(50_000);
});
