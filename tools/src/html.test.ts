import fc from "fast-check";
import { expect, test } from "vitest";
import { fill, html } from "./html.ts";

test("no text breaks out of its place", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(html`<a title="${text}">${text}</a>`.text).toMatch(/^<a title="[^"<>]*">[^<>]*<\/a>$/);
      expect(fill("<p>{{text}}</p>", { text })).toMatch(/^<p>[^<>]*<\/p>$/);
    }),
  );
});

test("HTML stays HTML, alone and in lists", () => {
  const items = ["a", "b"].map((name) => html`<i>${name}</i>`);
  expect(html`${items[0]!}, ${items}`.text).toBe("<i>a</i>, <i>a</i>\n<i>b</i>");
});

test("a slot that nothing fills is a mistake", () => {
  expect(() => fill("{{title}}", {})).toThrow("{{title}}");
});

test("what is filled in is not filled again", () => {
  expect(fill("{{a}}", { a: "{{b}}", b: "x" })).toBe("{{b}}");
});
