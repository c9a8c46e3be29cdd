import { describe, expect, it } from "vitest";
import { renderDocument } from "./render-document.ts";

const SITE: Record<string, string> = {
  "docs/guide/a.md": "a.html",
  "docs/guide/b.md": "b.html",
  "docs/images/c.png": "../images/c.png",
};

function render(markdown: string) {
  return renderDocument("docs/guide/a.md", markdown, (file) => SITE[file]);
}

function htmlOf(markdown: string): string {
  return render(markdown).body.text.trim();
}

describe("a document", () => {
  it.each([
    ["[B](b.md)", '<a href="b.html">B</a>'],
    ["[B](b.md#how-it-works)", '<a href="b.html#how-it-works">B</a>'],
    ["[here](#why)", '<a href="#why">here</a>'],
    ["[out](https://example.com/?a&b)", '<a href="https://example.com/?a&#38;b">out</a>'],
    ["[a test](../../server/src/a.test.ts)", '<span title="server/src/a.test.ts">a test</span>'],
  ])("links from %s", (markdown, expected) => {
    expect(htmlOf(markdown)).toBe(`<p>${expected}</p>`);
  });

  it("shows its pictures, and misses none in silence", () => {
    expect(htmlOf('![A "b"](../images/c.png)')).toContain(
      '<img src="../images/c.png" alt="A &#34;b&#34;"',
    );
    expect(() => htmlOf("![x](../images/no.png)")).toThrow(
      "docs/guide/a.md shows ../images/no.png, which is not there.",
    );
  });

  it("has an anchor for each heading, as code hosts name them", () => {
    const { title, headings } = render(
      "# The `svc` command\n\n## What it's for\n\n## Füße, 1 & 2\n\n## What it's for\n",
    );
    expect(title).toBe("The svc command");
    expect(headings.map(({ anchor }) => anchor)).toEqual([
      "the-svc-command",
      "what-its-for",
      "füße-1--2",
      "what-its-for-1",
    ]);
  });

  it("keeps code as it is", () => {
    expect(htmlOf("```html\n<b>&amp;</b>\n```")).toContain(
      "<code>&#60;b&#62;&#38;amp;&#60;/b&#62;</code>",
    );
  });

  it("has tables without an empty head", () => {
    const body = "|---|---|\n| a | b |";
    expect(htmlOf(`| | |\n${body}`)).not.toContain("<thead>");
    expect(htmlOf(`| | x |\n${body}`).replaceAll(/\s/g, "")).toContain(
      "<thead><tr><td></td><th>x</th></tr></thead>",
    );
  });

  it("can be searched by what stands under each heading", () => {
    const { texts } = render(
      "# A\n\nOne `two` [three](b.md).\n\n- four\n- *five*\n\n## B\n\n| six | seven |\n|---|---|\n| eight | nine |\n",
    );
    expect(texts).toEqual(["One two three. four five", "six seven eight nine"]);
  });
});
