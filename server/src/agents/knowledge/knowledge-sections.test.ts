import fc from "fast-check";
import { expect, test } from "vitest";
import { knowledgeSections, mayOpen } from "./knowledge-sections.ts";

const sections = (text: string) => knowledgeSections([{ path: "knowledge/a.md", text }]);

test("a file is cut at its headings, which name the sections", () => {
  expect(
    sections("Before.\n# One\n\nFirst.\n\nSecond.\n## Two ##\n- a\n- b\n### Empty\n## Two\nAgain."),
  ).toEqual([
    { name: "a.md", text: "Before." },
    { name: "a.md#One", text: "First.\n\nSecond." },
    { name: "a.md#One > Two", text: "- a\n- b" },
    { name: "a.md#One > Two (2)", text: "Again." },
  ]);
});

test("a section's name has every heading above it, also where a level is left out", () => {
  const cut = sections("# One\n### Three\na\n## Two\nb\n# Next\nc\n## #\nd");
  expect(cut.map(({ name }) => name)).toEqual([
    "a.md#One > Three",
    "a.md#One > Two",
    "a.md#Next",
    "a.md#Next (2)",
  ]);
});

test("the head of a file is no knowledge, a line at its top is", () => {
  const head = "---\nsource: https://a.test/b\ntitle: Prices: all\nread: 2026-11-17\n---\n";
  const page = { title: "Prices: all", url: "https://a.test/b" };
  expect(sections(`${head}\n# One\na`)).toEqual([{ name: "a.md#One", text: "a", page }]);
  expect(sections("---\nWords.\n---\nMore.")[0]?.text).toContain("Words.");
});

test("a page without a title is named by its host, and what is no address is no page", () => {
  const page = (head: string) => sections(`---\n${head}\n---\na`)[0]?.page;
  expect(page("source: https://a.test/b  ")).toEqual({ title: "a.test", url: "https://a.test/b" });
  expect(page("source:\ntitle: Prices")).toBeUndefined();
  expect(page("source: prices.pdf")).toBeUndefined();
  expect(page("file: https://a.test/b")).toBeUndefined();
});

test("visitors are led to https and to the owner's own pages, and nowhere else", () => {
  const config = { allowedOrigins: ["http://shop.test:8080"], testOrigins: ["http://localhost"] };
  const opened = (url: string) => mayOpen({ title: "", url }, config);
  expect(opened("https://a.test/b")).toBe(true);
  expect(opened("http://shop.test:8080/b")).toBe(true);
  expect(opened("http://localhost/b")).toBe(true);
  expect(opened("http://shop.test/b")).toBe(false);
  expect(opened("javascript:alert(1)")).toBe(false);
  expect(opened("data:text/html,a")).toBe(false);
  expect(opened("https://shop.test@evil.test/")).toBe(false);
});

test("a heading inside code is none", () => {
  expect(sections("# One\n```\n# a comment\n```")).toEqual([
    { name: "a.md#One", text: "```\n# a comment\n```" },
  ]);
});

test("a long section is cut at its paragraphs, and a long paragraph at a space", () => {
  const paragraph = "word ".repeat(90).trim();
  const cut = sections(`# One\n${Array(5).fill(paragraph).join("\n\n")}`);
  expect(cut.map(({ name, text }) => [name, text.length])).toEqual([
    ["a.md#One", 1_351],
    ["a.md#One (2)", 900],
  ]);
  expect(sections("word ".repeat(1_000)).map(({ text }) => text.length)).toEqual([
    1_499, 1_499, 1_499, 499,
  ]);
});

test("no word is lost, and no section is longer than a model can read at a glance", () => {
  const line = fc.oneof(fc.lorem(), fc.string(), fc.constantFrom("", "# Heading", "```"));
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const cut = sections(lines.join("\n"));
      const left = cut.map(({ text }) => text).join(" ");
      const expected = lines.filter((one) => !/^#{1,6}\s/.test(one)).join(" ");
      for (const word of expected.match(/\p{L}{3,}/gu) ?? []) expect(left).toContain(word);
      expect(cut.every(({ text }) => text !== "" && text.length <= 1_500)).toBe(true);
    }),
  );
});
