import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import stringWidth from "string-width";

/** The terminal that output for people is written to. */
export interface Terminal {
  width: number;
  color: boolean;
  /** The current time, which "3 min ago" is relative to. */
  nowMs: number;
}

export type Tone = "good" | "bad" | "warn" | "quiet" | "strong";

const STYLES = { good: "green", bad: "red", warn: "yellow", quiet: "dim", strong: "bold" } as const;

/** Colour says nothing that the word does not say too. */
export function tone(terminal: Terminal, name: Tone, text: string): string {
  // An empty text in colour would end a line with codes, where spaces are cut off otherwise.
  return terminal.color && text !== ""
    ? styleText(STYLES[name], text, { validateStream: false })
    : text;
}

export interface Column<Row> {
  title: string;
  cell(row: Row): string;
  align?: "right";
  tone?(row: Row): Tone | undefined;
  /** Left out when the line is too long, the last such column first. */
  optional?: boolean;
  /** Shortened when the line is still too long, the widest such column first; the others never are. */
  flexible?: boolean;
  /** Where the end tells more than the beginning, as of a path, the beginning is cut off. */
  keepsEnd?: boolean;
}

/** Aligned columns, no boxes. */
export function table<Row>(terminal: Terminal, rows: Row[], all: Column<Row>[]): string {
  const columns = leaveOut(all, rows, terminal.width);
  const cells = rows.map((row) => columns.map((column) => oneLine(column.cell(row))));
  const widths = columns.map((column) => widest(column, rows));
  shrink(widths, columns, terminal.width);
  const line = (texts: string[], toneOf: (index: number) => Tone | undefined): string =>
    texts
      .map((text, index) => {
        const fitted = fit(text, widths[index]!, columns[index]!.keepsEnd);
        const name = toneOf(index);
        const padding = " ".repeat(widths[index]! - stringWidth(fitted));
        const shown = name === undefined ? fitted : tone(terminal, name, fitted);
        if (columns[index]!.align === "right") return padding + shown;
        return index === texts.length - 1 ? shown : shown + padding;
      })
      .join("  ")
      .trimEnd();
  return [
    line(
      columns.map((column) => column.title),
      () => "quiet",
    ),
    ...cells.map((texts, row) => line(texts, (index) => columns[index]!.tone?.(rows[row]!))),
  ].join("\n");
}

/** One thing's facts, a line each. Facts without a value are left out. */
export function facts(
  terminal: Terminal,
  entries: [name: string, value: string | undefined, tone?: Tone | undefined][],
): string {
  const present = entries
    .filter((entry) => entry[1] !== undefined && entry[1] !== "")
    .map(([name, value, how]) => [oneLine(name), value!, how] as const);
  const width = Math.max(0, ...present.map(([name]) => stringWidth(name)));
  return present
    .map(([name, value, how]) => {
      const label = tone(terminal, "quiet", name + " ".repeat(width - stringWidth(name)));
      const text = wrap(value, terminal.width, width + 2);
      return `${label}  ${how === undefined ? text : tone(terminal, how, text)}`;
    })
    .join("\n");
}

/** Breaks a text at spaces; every line but the first is indented, and the first begins there already. */
export function wrap(text: string, width: number, indent: number): string {
  // Below this a narrow terminal would get a word a line.
  const available = Math.max(20, width - indent);
  const lines = [""];
  for (const word of oneLine(text).split(" ")) {
    const line = lines.at(-1)!;
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || stringWidth(longer) <= available) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join(`\n${" ".repeat(indent)}`);
}

export function heading(terminal: Terminal, text: string): string {
  return tone(terminal, "strong", text);
}

/**
 * A stored text may hold line breaks, terminal commands, or marks that turn the writing direction
 * and make the rest of the line lie; none of them may reach the operator's screen.
 */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, " ");
}

function widest<Row>(column: Column<Row>, rows: Row[]): number {
  return rows.reduce(
    (max, row) => Math.max(max, stringWidth(oneLine(column.cell(row)))),
    stringWidth(column.title),
  );
}

function leaveOut<Row>(columns: Column<Row>[], rows: Row[], available: number): Column<Row>[] {
  const total = lineWidth(columns.map((column) => widest(column, rows)));
  const last = columns.findLastIndex((column) => column.optional);
  if (total <= available || last < 0) return columns;
  return leaveOut(columns.toSpliced(last, 1), rows, available);
}

function lineWidth(widths: number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + 2 * (widths.length - 1);
}

function shrink(widths: number[], columns: Column<never>[], available: number): void {
  for (let excess = lineWidth(widths) - available; excess > 0; excess--) {
    const [index] = columns
      .flatMap(({ flexible, title }, at) =>
        flexible === true && widths[at]! > Math.max(title.length, 8) ? [at] : [],
      )
      .toSorted((one, other) => widths[other]! - widths[one]!);
    if (index === undefined) return;
    widths[index]! -= 1;
  }
}

function fit(text: string, width: number, keepsEnd = false): string {
  if (stringWidth(text) <= width) return text;
  const segments = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  const kept: string[] = [];
  let taken = 0;
  for (const segment of keepsEnd ? segments.toReversed() : segments) {
    taken += stringWidth(segment);
    if (taken > width - 1) break;
    kept.push(segment);
  }
  return keepsEnd ? `…${kept.toReversed().join("")}` : `${kept.join("")}…`;
}

/** Work that is done sooner shows no line at all. */
const FIRST_AFTER_MS = 500;
/** The interval at which a terminal line is redrawn, and at which a log file gets a new line. */
const REDRAW_MS = 100;
const LOG_EVERY_MS = 5_000;

/** One line that is drawn over and over in a terminal; in a file, a line every few seconds. */
export function progressLine(
  stream: Pick<WriteStream, "write" | "isTTY">,
): (done: number, total: number | undefined, what: string) => void {
  let nextMs = performance.now() + (stream.isTTY ? FIRST_AFTER_MS : LOG_EVERY_MS);
  let drawn = false;
  return (done, total, what) => {
    const ended = done === total;
    if (!ended && performance.now() < nextMs) return;
    if (ended && !drawn) return;
    nextMs = performance.now() + (stream.isTTY ? REDRAW_MS : LOG_EVERY_MS);
    drawn = !ended;
    const share = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
    const text = `${done.toLocaleString("en")}${share} ${what}`;
    stream.write(stream.isTTY ? `\r\u001b[K${text}${ended ? "\n" : ""}` : `${text}\n`);
  };
}
