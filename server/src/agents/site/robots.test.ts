import { expect, it } from "vitest";
import { readRobots } from "./robots.ts";

it("the longest pattern decides, and of equals the one that allows", () => {
  const { allows } = readRobots(
    "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\nDisallow: /x*y\nAllow: /same\nDisallow: /same\n",
  );
  expect(allows("/")).toBe(true);
  expect(allows("/a/c")).toBe(false);
  expect(allows("/a/b/c")).toBe(true);
  expect(allows("/paper.pdf")).toBe(false);
  expect(allows("/paper.pdf?x=1")).toBe(true);
  expect(allows("/x/1/y/2")).toBe(false);
  expect(allows("/same")).toBe(true);
});

it("a group that names us stands in place of the one for all", () => {
  const rules = readRobots(
    "User-agent: other\nUser-agent: SVC-Agents # us\nDisallow: /ours\nCrawl-delay: 3\n\nUser-agent: *\nDisallow: /\nSitemap: https://a.example/s.xml\n",
  );
  expect([rules.allows("/ours/1"), rules.allows("/theirs")]).toEqual([false, true]);
  expect(rules).toMatchObject({ crawlDelaySecs: 3, sitemaps: ["https://a.example/s.xml"] });
});

it("nothing, an empty rule and other texts forbid nothing", () => {
  for (const text of ["", "User-agent: *\nDisallow:\n", "<html>Not found</html>", "Disallow: /"])
    expect(readRobots(text).allows("/page")).toBe(true);
});

it("a pattern with many stars takes no time", () => {
  const { allows } = readRobots(`User-agent: *\nDisallow: /${"*a".repeat(500)}$`);
  expect(allows(`/${"a".repeat(2_000)}b`)).toBe(true);
});
