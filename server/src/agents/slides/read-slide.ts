import { posix } from "node:path";
import type { Slide, SlideBar, SlideCallout, SlideKind, SlidePoint } from "@svc/contract/types";
import { nearest } from "../file/known-fields.ts";
import { markdownBlocks } from "./markdown-blocks.ts";
import type { Block, BlockKind } from "./markdown-blocks.ts";

/** What a Markdown file with front matter says, or what is wrong with it and in which line. */
export type ReadSlide = { slide: Slide; media: SlideMedia[] } | { problems: SlideProblem[] };

/** A file that a slide names. Its path is the one in the agent's folder, as it stands in the slide. */
export interface SlideMedia {
  path: string;
  kind: "image" | "video";
  line: number;
}

export interface SlideProblem {
  line: number;
  message: string;
}

/**
 * Undefined for a file without front matter, which is shown as plain Markdown.
 * @param path of the file, which the paths in it are relative to
 */
export function readSlide(source: string, path: string = ""): ReadSlide | undefined {
  const lines = source.replace(/^\uFEFF/, "").split(/\r\n|[\n\r]/);
  if (lines[0]?.trim() !== "---") return undefined;
  try {
    const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
    if (end === -1) throw new Misfit(1, "The front matter has no end. Add a line --- below it.");
    const kind = readFrontMatter(lines.slice(1, end));
    const blocks = markdownBlocks(lines.slice(end + 1), end + 2);
    const reader = new BlockReader(kind, blocks, end + 1, posix.dirname(path));
    const slide = READERS[kind](reader);
    reader.end();
    return { slide, media: reader.media };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { problems: [{ line: error.line, message: error.message }] };
  }
}

class Misfit extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

function readFrontMatter(lines: string[]): SlideKind {
  let kind: SlideKind | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const at = index + 2;
    const [, name, value] = /^\s*(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== "kind") throw new Misfit(at, "Only `kind: …` stands here. Remove this line.");
    if (!isKind(value!)) {
      const near = nearest(value!, Object.keys(READERS));
      const cure = near === undefined ? `Write one of ${KINDS}.` : `Did you mean \`${near}\`?`;
      throw new Misfit(at, `There is no kind of slide "${value}". ${cure}`);
    }
    kind = value;
  }
  if (kind === undefined)
    throw new Misfit(1, `The front matter names no kind. Write one of ${KINDS}.`);
  return kind;
}

function isKind(text: string): text is SlideKind {
  return Object.hasOwn(READERS, text);
}

/** Takes the blocks of a slide in their order, and says what is missing or left over. */
class BlockReader {
  readonly #kind: SlideKind;
  readonly #blocks: Block[];
  readonly #folder: string;
  readonly media: SlideMedia[] = [];
  #line: number;

  constructor(kind: SlideKind, blocks: Block[], line: number, folder: string) {
    this.#folder = folder;
    this.#kind = kind;
    this.#blocks = blocks;
    this.#line = line;
  }

  /** The next block, if it is of that kind. */
  take<K extends BlockKind>(kind: K): Extract<Block, { kind: K }> | undefined {
    if (this.#blocks[0]?.kind !== kind) return undefined;
    const block = this.#blocks.shift() as Extract<Block, { kind: K }>;
    this.#line = block.line;
    return block;
  }

  need<K extends BlockKind>(kind: K, example: string): Extract<Block, { kind: K }> {
    const block = this.take(kind);
    if (block !== undefined) return block;
    const line = this.#blocks[0]?.line ?? this.#line;
    throw new Misfit(line, `A slide of kind ${this.#kind} needs ${NAMES[kind]} here: ${example}`);
  }

  /** Title and lead. */
  head(): { title?: string; lead?: string } {
    const title = this.take("heading")?.text;
    return { ...(title !== undefined && { title }), ...this.text("lead") };
  }

  text<Name extends "lead" | "note">(name: Name): { [K in Name]?: string } {
    const block = this.take("text");
    return (block === undefined ? {} : { [name]: block.lines.join(" ") }) as {
      [K in Name]?: string;
    };
  }

  /** A file that the slide names as Markdown names an image. */
  needMedia(kind: SlideMedia["kind"], example: string): { file: string; alt?: string } {
    const { line, alt, path } = this.need("image", example);
    if (kind === "video" && path.startsWith("https://")) return { file: path };
    const file = posix.join(this.#folder, path);
    this.media.push({ path: file, kind, line });
    return { file, ...(alt !== "" && { alt }) };
  }

  end(): void {
    const [left] = this.#blocks;
    if (left === undefined) return;
    const place = `A slide of kind ${this.#kind} has no place for ${NAMES[left.kind]} here.`;
    throw new Misfit(left.line, `${place} Remove it, or move it to a slide of its own.`);
  }
}

const NAMES: Record<BlockKind, string> = {
  heading: "a heading",
  text: "a paragraph",
  list: "a list",
  quote: "a quote",
  table: "a table",
  code: "code between two lines of ```",
  image: "an image",
};

type SlideOf<K extends SlideKind> = Extract<Slide, { kind: K }>;

const READERS: { [K in SlideKind]: (blocks: BlockReader) => SlideOf<K> } = {
  title(blocks) {
    const { text } = blocks.need("heading", "`# Every crew at the right door`.");
    return { kind: "title", title: text, ...blocks.text("lead"), ...blocks.text("note") };
  },

  number(blocks) {
    const { line, text } = blocks.need("heading", "`# 38 min`.");
    // Greedy: up to the last digit and what is attached to it, such as the sign of `40 %`.
    const [, figure, unit] = /^(.*\d\S*)(?:\s+(.+))?$/.exec(text) ?? [];
    if (figure === undefined)
      throw new Misfit(line, "There is no figure in this heading. Write one, such as `# 38 min`.");
    const { lines } = blocks.need("text", "what the figure says, such as `less driving a day`.");
    const bars = blocks.take("list");
    return {
      kind: "number",
      figure,
      ...(unit !== undefined && { unit }),
      lead: lines.join(" "),
      ...(bars !== undefined && { bars: readBars(bars.items) }),
      ...blocks.text("note"),
    };
  },

  quote(blocks) {
    const { text } = blocks.need("quote", "`> We stopped calling each other.`.");
    const [name, ...role] = blocks.take("text")?.lines ?? [];
    return {
      kind: "quote",
      quote: text,
      ...(name !== undefined && { name }),
      ...(role.length > 0 && { role: role.join(" ") }),
    };
  },

  steps(blocks) {
    const head = blocks.head();
    const { items } = blocks.need("list", "`1. **A job comes in.** By phone or mail.`.");
    return {
      kind: "steps",
      ...head,
      steps: items.map(({ text }) => point(text)),
      ...blocks.text("note"),
    };
  },

  comparison(blocks) {
    const title = blocks.need("heading", "`# What changes on a Monday`.").text;
    const lead = blocks.text("lead");
    const sides = [readSide(blocks), readSide(blocks)];
    let next = blocks.take("heading");
    for (; next !== undefined; next = blocks.take("heading")) {
      if (sides.length === 3)
        throw new Misfit(next.line, "This is the fourth side. Compare two or three.");
      sides.push(readSide(blocks, next.text));
    }
    return { kind: "comparison", title, ...lead, sides, ...blocks.text("note") };
  },

  table(blocks) {
    const tableHead = blocks.head();
    const { line, head, rows, figures } = blocks.need(
      "table",
      "`| Plan | Price |`, then `|---|---:|`.",
    );
    const odd = rows.findIndex((row) => row.length !== head.length);
    if (odd !== -1)
      throw new Misfit(
        line + odd + 2,
        `This row has ${rows[odd]!.length} cells, and the head has ${head.length}. Write as many.`,
      );
    return {
      kind: "table",
      ...tableHead,
      head,
      rows: rows.map(([first = "", ...rest]) => {
        const [, marked] = /^\*\*([^*]+)\*\*$/.exec(first) ?? [];
        return marked === undefined
          ? { cells: [first, ...rest] }
          : { cells: [marked, ...rest], isMarked: true };
      }),
      ...(figures.length > 0 && { figures }),
      ...blocks.text("note"),
    };
  },

  code(blocks) {
    const head = blocks.head();
    const { language, marked, code } = blocks.need("code", "a line ```html, the code, a line ```.");
    return {
      kind: "code",
      ...head,
      ...(language !== "" && { language }),
      lines: code.split("\n").map((line) => [[line]]),
      ...(marked.length > 0 && { marked }),
      ...blocks.text("note"),
    };
  },

  screenshot(blocks) {
    const head = blocks.head();
    const image = blocks.needMedia("image", "`![The board on a Tuesday](board.png)`.");
    const callouts = blocks.take("list");
    return {
      kind: "screenshot",
      ...head,
      image,
      ...(callouts !== undefined && { callouts: callouts.items.map(readCallout) }),
      ...blocks.text("note"),
    };
  },

  video(blocks) {
    const head = blocks.head();
    const { file } = blocks.needMedia("video", "`![A tour](tour.mp4)`.");
    const chapters = blocks.take("list");
    return {
      kind: "video",
      ...head,
      video: file,
      ...(chapters !== undefined && { chapters: chapters.items.map(readChapter) }),
      ...blocks.text("note"),
    };
  },
};

const KINDS = Object.keys(READERS).join(", ");

function readSide(
  blocks: BlockReader,
  title = blocks.need("heading", "`## With the spreadsheet`.").text,
): { title: string; points: string[] } {
  const { items } = blocks.need("list", "`- An hour of calls`.");
  return { title, points: items.map(({ text }) => text) };
}

/** `**A job comes in.** By phone.` has a title and a text. */
function point(item: string): SlidePoint {
  const [, title, text] = /^\*\*([^*]+?)[.:。：]?\*\*[.:。：]?\s*(.*)$/.exec(item) ?? [];
  if (title === undefined) return { title: item };
  return { title, ...(text !== "" && { text: text! }) };
}

/** `52% 17% **Crews that fit.** Near and trained.` */
function readCallout({ line, text }: { line: number; text: string }): SlideCallout {
  const [, x, y, rest] =
    /^(\d{1,3}(?:\.\d+)?)%[\s,]+(\d{1,3}(?:\.\d+)?)%[:,]?\s+(.+)$/.exec(text) ?? [];
  if (rest === undefined || Number(x) > 100 || Number(y) > 100)
    throw new Misfit(
      line,
      "A callout begins with its place, from the left and from the top. Write `52% 17% **Crews that fit.** Near and trained.`.",
    );
  return { x: Number(x), y: Number(y), ...point(rest) };
}

/** `1:05 The board` */
function readChapter({ line, text }: { line: number; text: string }): {
  at_secs: number;
  title: string;
} {
  const [, minutes, seconds, title] = /^(\d{1,3}):([0-5]\d)\s+(.+)$/.exec(text) ?? [];
  if (title === undefined)
    throw new Misfit(line, "A chapter begins with its time. Write `1:05 The board`.");
  return { at_secs: Number(minutes) * 60 + Number(seconds), title };
}

/** `Before: 161 (2 h 41)` is as long as 161, and says `2 h 41`. */
function readBars(items: { line: number; text: string }[]): SlideBar[] {
  const bars = items.map(({ line, text }) => {
    const [, label, measured, shown] = /^(.+?):\s*(.*?)(?:\s*\(([^()]+)\))?$/.exec(text) ?? [];
    const [number, ...others] = measured?.match(/\d+(?:[.,]\d+)*/g) ?? [];
    const size = number === undefined || others.length > 0 ? 0 : numberOf(number);
    if (label === undefined || size === 0)
      throw new Misfit(
        line,
        "A bar is measured by one number above 0. Write `Before: 161`, or `Before: 161 (2 h 41)`.",
      );
    return { label: label.trim(), value: shown ?? measured!, size };
  });
  const longest = Math.max(...bars.map(({ size }) => size));
  return bars.map(({ label, value, size }) => ({
    label,
    value,
    share: Math.round((size / longest) * 1000) / 1000,
  }));
}

/** `1,200` and `1.200` are thousands, `1,5` and `1.5` are not. */
function numberOf(text: string): number {
  const isGrouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(text);
  return Number(isGrouped ? text.replaceAll(/[.,]/g, "") : text.replace(",", "."));
}
