/** A block of Markdown that slides are made of, and the line where it begins. */
export type Block = { line: number } & (
  | { kind: "heading"; level: number; text: string }
  | { kind: "text"; lines: string[] }
  | { kind: "list"; items: { line: number; text: string }[] }
  | { kind: "quote"; text: string }
  | { kind: "code"; language: string; marked: number[]; code: string }
  | { kind: "image"; alt: string; path: string }
  | { kind: "table"; head: string[]; rows: string[][]; figures: number[] }
);

export type BlockKind = Block["kind"];

const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;
const QUOTE = /^>\s?/;
const ROW = /^\|.*\|$/;
const FENCE = /^(`{3,}|~{3,})\s*([\w+#-]*)\s*(?:\{([\d,\s-]*)\})?\s*$/;
const IMAGE = /^!\[([^\]]*)\]\(([^\s)]+)\)$/;
const RULE = /^\|(?:\s*:?-+:?\s*\|)+$/;

/** @param first the number of the first line in its file */
export function markdownBlocks(lines: string[], first: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  const take = (isPart: (line: string) => boolean): string[] => {
    const start = at;
    while (at < lines.length && isPart(lines[at]!.trim())) at += 1;
    return lines.slice(start, at).map((line) => line.trim());
  };
  /** The lines that go on with a text: up to an empty one, or one that begins a block. */
  const more = (): string[] =>
    take(
      (line) =>
        line !== "" && ![HEADING, ITEM, QUOTE, ROW, FENCE, IMAGE].some((start) => start.test(line)),
    );

  while (at < lines.length) {
    const text = lines[at]!.trim();
    const line = first + at;
    const heading = HEADING.exec(text);
    const fence = FENCE.exec(text);
    const image = IMAGE.exec(text);
    if (text === "") at += 1;
    else if (heading !== null) {
      at += 1;
      blocks.push({ line, kind: "heading", level: heading[1]!.length, text: heading[2]!.trim() });
    } else if (fence !== null) {
      const [, marks, language = "", marked = ""] = fence;
      const end = lines.findIndex((one, index) => index > at && one.trim() === marks);
      const code = lines.slice(at + 1, end === -1 ? undefined : end).join("\n");
      at = end === -1 ? lines.length : end + 1;
      blocks.push({ line, kind: "code", language, marked: rangesOf(marked), code });
    } else if (image !== null) {
      at += 1;
      blocks.push({ line, kind: "image", alt: image[1]!, path: image[2]! });
    } else if (ITEM.test(text)) {
      blocks.push({ line, kind: "list", items: takeItems() });
    } else if (QUOTE.test(text)) {
      const quoted = take((one) => QUOTE.test(one)).map((one) => one.replace(QUOTE, ""));
      blocks.push({ line, kind: "quote", text: quoted.join(" ").trim() });
    } else if (ROW.test(text)) {
      blocks.push({ line, kind: "table", ...table(take((one) => ROW.test(one))) });
    } else {
      at += 1;
      blocks.push({ line, kind: "text", lines: [text, ...more()] });
    }
  }
  return blocks;

  /** Items with empty lines between them are one list. */
  function takeItems(): { line: number; text: string }[] {
    const items: { line: number; text: string }[] = [];
    for (;;) {
      const item = ITEM.exec(lines[at]?.trim() ?? "");
      if (item !== null) {
        const line = first + at;
        at += 1;
        items.push({ line, text: [item[1]!, ...more()].join(" ") });
        continue;
      }
      const next = lines.findIndex((line, index) => index >= at && line.trim() !== "");
      if (next === -1 || next === at || !ITEM.test(lines[next]!.trim())) return items;
      at = next;
    }
  }
}

/** `2-4,7` are the lines 1, 2, 3 and 6, from 0. */
function rangesOf(text: string): number[] {
  return text.split(",").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    const length = Math.min(Math.max(to - from + 1, 0), 1_000);
    return from > 0 ? Array.from({ length }, (_, index) => from - 1 + index) : [];
  });
}

/** A table without the line of dashes has only rows: its first one is the head all the same. */
function table(lines: string[]): { head: string[]; rows: string[][]; figures: number[] } {
  const rows = lines.filter((line) => !RULE.test(line)).map(cells);
  const rule = cells(lines.find((line) => RULE.test(line)) ?? "");
  const figures = rule.flatMap((one, index) => (/^-+:$/.test(one) ? index : []));
  const [head = [], ...rest] = rows;
  return { head, rows: rest, figures };
}

/** `\|` is a bar in a text. */
function cells(row: string): string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, "|"));
}
