import { expect, it } from "vitest";
import { repository } from "./repository.ts";
import { statementsOf } from "./specification.ts";

it("takes every sentence, list item and table row, with its section", () => {
  const markdown = `# Title

One sentence. Two, with \`code.js\` and 2.3 in it.

## 1. First

Rules:
1. Numbered. \`Twice\` even.
2. Second
- Dashed, see 4.
### 1.2 Table

Announced here. As follows:

| a | b |
|---|---|
| x | |
| y | z. Still the row. |
`;
  expect(statementsOf(markdown).map(({ section, text }) => `${section}: ${text}`)).toEqual([
    "0: One sentence.",
    "0: Two, with `code.js` and 2.3 in it.",
    "1: Numbered.",
    "1: `Twice` even.",
    "1: Second",
    "1: Dashed, see 4.",
    "1.2: Announced here.",
    "1.2: x",
    "1.2: y · z. Still the row.",
  ]);
});

it("leaves nothing of the specification out but headings, head rows and announcements", () => {
  const whole = repository.read("docs/reference/specification.md")!;
  const specification = whole.replace(/^#.*$/gm, "").replace(/^\|.*\n\|[-|]+$/gm, "");
  const gaps: string[] = [];
  let at = 0;
  for (const piece of statementsOf(whole).flatMap(({ text }) => text.split(" · "))) {
    const found = specification.indexOf(piece, at);
    gaps.push(specification.slice(at, found));
    at = found + piece.length;
  }
  gaps.push(specification.slice(at));
  const announcement = /^[^.|]*:$/;
  const mark = /^(?:-|\d+\.|[| ]*)$/;
  const left = gaps
    .flatMap((gap) => gap.split("\n"))
    .map((line) => line.trim())
    .filter((line) => !announcement.test(line) && !mark.test(line));
  expect(left).toEqual([]);
});
