import fc from "fast-check";
import { expect, test } from "vitest";
import { readSlide } from "./read-slide.ts";

const slide = (kind: string, ...lines: string[]): string =>
  ["---", `kind: ${kind}`, "---", ...lines].join("\n");

test("plain Markdown is no slide of a kind", () => {
  expect(readSlide("# Plans\n\n- Basic\n---\n")).toBeUndefined();
});

test.each([
  [
    "a title",
    slide("title", "", "# Every crew", "at nine,", "at the door", "", "From May on."),
    { kind: "title", title: "Every crew", lead: "at nine, at the door", note: "From May on." },
  ],
  [
    "a number with bars",
    slide(
      "number",
      "# 38 min",
      "less driving",
      "- Before: 161 (2 h 41)",
      "- After: 123 (2 h 03)",
      "",
      "214 teams",
    ),
    {
      kind: "number",
      figure: "38",
      unit: "min",
      lead: "less driving",
      bars: [
        { label: "Before", value: "2 h 41", share: 1 },
        { label: "After", value: "2 h 03", share: 0.764 },
      ],
      note: "214 teams",
    },
  ],
  [
    "a number with a sign and thousands",
    slide("number", "# € 1,200 a month", "saved", "- A: 1.200 €", "- B: 1,5", "- C: 600 €"),
    {
      kind: "number",
      figure: "€ 1,200",
      unit: "a month",
      lead: "saved",
      bars: [
        { label: "A", value: "1.200 €", share: 1 },
        { label: "B", value: "1,5", share: 0.001 },
        { label: "C", value: "600 €", share: 0.5 },
      ],
    },
  ],
  [
    "a quote",
    slide("quote", "> We stopped", "> calling.", "", "Mara Köhler", "Head of service", "in Kiel"),
    {
      kind: "quote",
      quote: "We stopped calling.",
      name: "Mara Köhler",
      role: "Head of service in Kiel",
    },
  ],
  [
    "steps",
    slide(
      "steps",
      "# From a call",
      "Four.",
      "",
      "1. **A job comes in.** By phone",
      "   or mail",
      "",
      "2. Done",
      "3. **会話。** 話す",
    ),
    {
      kind: "steps",
      title: "From a call",
      lead: "Four.",
      steps: [
        { title: "A job comes in", text: "By phone or mail" },
        { title: "Done" },
        { title: "会話", text: "話す" },
      ],
    },
  ],
  [
    "a comparison",
    slide("comparison", "# Monday", "## Before", "- a", "- b", "## After", "- c"),
    {
      kind: "comparison",
      title: "Monday",
      sides: [
        { title: "Before", points: ["a", "b"] },
        { title: "After", points: ["c"] },
      ],
    },
  ],
  [
    "a table",
    slide(
      "table",
      "| Plan | Price |",
      "|---|---:|",
      String.raw`| a\|b | 1 |`,
      "| **Growth** | 2 |",
    ),
    {
      kind: "table",
      head: ["Plan", "Price"],
      rows: [{ cells: ["a|b", "1"] }, { cells: ["Growth", "2"], isMarked: true }],
      figures: [1],
    },
  ],
  [
    "code",
    slide("code", "# Jobs", "", "```bash {1,3-4}", "a", "", "# b", "```", "", "Version 2"),
    {
      kind: "code",
      title: "Jobs",
      language: "bash",
      lines: [[["a"]], [[""]], [["# b"]]],
      marked: [0, 2, 3],
      note: "Version 2",
    },
  ],
  [
    "a video elsewhere",
    slide("video", "![A tour](https://a.example/tour.mp4)", "- 0:00 The board", "- 1:05 A job"),
    {
      kind: "video",
      video: "https://a.example/tour.mp4",
      chapters: [
        { at_secs: 0, title: "The board" },
        { at_secs: 65, title: "A job" },
      ],
    },
  ],
])("%s is read", (_, source, expected) => {
  expect(readSlide(source)).toEqual({ slide: expected, media: [] });
  const ofWindows = `\uFEFF${source.replaceAll("\n", "\r\n")}`;
  expect(readSlide(ofWindows)).toEqual({ slide: expected, media: [] });
});

test.each([
  ["---\nkind: title\n# A", 1, "The front matter has no end. Add a line --- below it."],
  ["---\n---\n# A", 1, /^The front matter names no kind\. Write one of title, number, /],
  ["---\nkind: quotes\n---\n# A", 2, 'There is no kind of slide "quotes". Did you mean `quote`?'],
  ["---\nkind: toc\n---", 2, /^There is no kind of slide "toc"\. Write one of title, /],
  ["---\nkind: title\nsize: 3\n---\n# A", 3, "Only `kind: …` stands here. Remove this line."],
  [
    slide("title", "A"),
    4,
    "A slide of kind title needs a heading here: `# Every crew at the right door`.",
  ],
  [slide("number", "# Many", "a"), 4, /^There is no figure in this heading\./],
  [
    slide("number", "# 3", "a", "- Before: 2 h 41"),
    6,
    /^A bar is measured by one number above 0\./,
  ],
  [slide("number", "# 3", "a", "- Before: 0"), 6, /^A bar is measured by one number above 0\./],
  [
    slide("quote"),
    3,
    "A slide of kind quote needs a quote here: `> We stopped calling each other.`.",
  ],
  [
    slide("steps", "# A", "- b", "> c"),
    6,
    /^A slide of kind steps has no place for a quote here\./,
  ],
  [
    slide("comparison", "# A", "## B", "- b"),
    6,
    /^A slide of kind comparison needs a heading here:/,
  ],
  [
    slide("table", "| a | b |", "|---|---|", "| 1 | 2 |", "| 3 |"),
    7,
    /^This row has 1 cells, and the head has 2\./,
  ],
  [slide("code", "# A"), 4, "A slide of kind code needs code between two lines of ``` here: "],
  [slide("screenshot", "# A", "![b](c.png)", "- **D**"), 6, /^A callout begins with its place/],
  [slide("screenshot", "![b](c.png)", "- 50% 120% D"), 5, /^A callout begins with its place/],
  [
    slide("video", "![b](c.mp4)", "- 1:65 D"),
    5,
    "A chapter begins with its time. Write `1:05 The board`.",
  ],
])("%j is refused in line %i", (source, line, message) => {
  expect(readSlide(source)).toEqual({
    problems: [{ line, message: expect.stringMatching(message) }],
  });
});

test("files that a slide names are found from its own folder", () => {
  const source = slide(
    "screenshot",
    "![The board](../a/board.png)",
    "- 52% 17.5% **Crews.** Near.",
  );
  const file = "content/a/board.png";
  expect(readSlide(source, "content/de/board.md")).toEqual({
    slide: {
      kind: "screenshot",
      image: { file, alt: "The board" },
      callouts: [{ x: 52, y: 17.5, title: "Crews", text: "Near." }],
    },
    media: [{ path: file, kind: "image", line: 4 }],
  });
});

test("whatever stands below the front matter, it is read or refused in one of its lines", () => {
  const kinds = fc.constantFrom("title", "number", "quote", "steps", "comparison", "table");
  const piece = fc.constantFrom(
    "\n",
    "# ",
    "## ",
    "- ",
    "1. ",
    "> ",
    "| a |",
    "|---|",
    "12",
    "**b**",
    ": ",
    "(x)",
  );
  fc.assert(
    fc.property(kinds, fc.array(piece, { maxLength: 30 }), (kind, pieces) => {
      const source = slide(kind, pieces.join(""));
      const read = readSlide(source)!;
      const lines = "slide" in read ? [1] : read.problems.map(({ line }) => line);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toBeLessThanOrEqual(source.split("\n").length);
    }),
  );
});
