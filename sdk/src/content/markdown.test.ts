import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { fakeDocument } from "../core/page-under-test.ts";
import type { FakeElement } from "../core/page-under-test.ts";
import { renderMarkdown } from "./markdown.ts";

beforeEach(() => {
  vi.stubGlobal("document", fakeDocument());
});

function render(source: string): FakeElement[] {
  return renderMarkdown(source) as unknown as FakeElement[];
}

/** Such as `p(text em(text))`. */
function drawn(source: string): string {
  const outline = (node: FakeElement | string): string =>
    typeof node === "string"
      ? node
      : `${node.tagName.toLowerCase()}(${node.childNodes.map(outline).join("")})`;
  return render(source).map(outline).join(" ");
}

test.each([
  ["a heading ends with its line", "## Plans\n- Basic\n- Pro", "h4(Plans) ul(li(Basic)li(Pro))"],
  ["a list follows a text without an empty line", "Intro:\n- a\n- b", "p(Intro:) ul(li(a)li(b))"],
  [
    "code keeps its empty lines",
    "```js\na();\n\nb();\n```\nafter",
    "pre(code(a();\n\nb();)) p(after)",
  ],
  ["nothing in code is Markdown", "~~~\n# a\n- b\n> c\n```\n~~~", "pre(code(# a\n- b\n> c\n```))"],
  ["code without an end goes on to the end", "```\na\n\nb", "pre(code(a\n\nb))"],
  ["backticks in a line are code in a text", "```a``` b", "p(``code(a)`` b)"],
  ["lines of a paragraph are one text", "a\n  b\n\nc", "p(a b) p(c)"],
  ["an item may go on in the next line", "- a\n  more\nstill\n- b", "ul(li(a more still)li(b))"],
  ["empty lines do not end a list", "1. a\n\n2. b", "ol(li(a)li(b))"],
  ["another kind of list is another list", "- a\n1. b", "ul(li(a)) ol(li(b))"],
  [
    "a number in a text begins no list",
    "We began in\n2019. It went well.",
    "p(We began in 2019. It went well.)",
  ],
  ["quotes hold blocks", "> # a\n> - b\n>\n> # c\n\nd", "blockquote(h3(a)ul(li(b))h3(c)) p(d)"],
  ["emphasis and code", "*a* **b** `c`", "p(em(a) strong(b) code(c))"],
  ["HTML is text", "<b onclick=x>a</b>", "p(<b onclick=x>a</b>)"],
  ["line ends of every system", "# a\r\nb\rc\n", "h3(a) p(b c)"],
])("%s", (_, source, expected) => {
  expect(drawn(source)).toBe(expected);
});

test("a list that code interrupts goes on with its number", () => {
  const lists = render("1. a\n```\nx\n```\n2. b").filter(({ tagName }) => tagName === "OL");
  expect(lists).toMatchObject([{ start: 1 }, { start: 2 }]);
});

test("a link leads to https or mailto, or is text", () => {
  const [link] = render("[a](https://example.com/x)")[0]!.childNodes;
  expect(link).toMatchObject({ tagName: "A", attributes: { href: "https://example.com/x" } });
  expect(drawn("[a](javascript:alert(1))")).toBe("p([a](javascript:alert(1)))");
});

const ALLOWED = "H3 H4 P UL OL LI PRE CODE BLOCKQUOTE STRONG EM A".split(" ");

const PIECES = [
  "\n",
  "\n\n",
  "\r",
  "\u2028",
  "# ",
  "> ",
  "- ",
  "1. ",
  "2) ",
  "*",
  "**",
  "`",
  "  ",
  "\t",
];
const WORDS = ["[word](https://a)", "<script>", "word"];

test("whatever the text is, it is drawn with these elements only", () => {
  const piece = fc.oneof(
    fc.constantFrom(...PIECES, ...WORDS, "```", "~~~"),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const made = render(pieces.join("")).flatMap(({ all }) => all);
      expect(made.filter(({ tagName }) => !ALLOWED.includes(tagName))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("no word is lost", () => {
  const words = (text: string): number => text.split(/word|<script>/).length;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES, ...WORDS), { maxLength: 30 }), (pieces) => {
      // What stands behind a fence names the language.
      fc.pre(!pieces.join("").includes("```"));
      const text = render(pieces.join("")).map(({ textContent }) => textContent);
      expect(words(text.join("\n"))).toBe(words(pieces.join("")));
    }),
    { numRuns: 500 },
  );
});

test.each([">", "[", "`", "*", "# ", "\n- "])("a slide of nothing but %j is drawn", (marks) => {
  expect(render(marks.repeat(50_000))).not.toEqual([]);
});
