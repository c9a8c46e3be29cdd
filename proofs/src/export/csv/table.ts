import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { Session, SessionField } from "@svc/contract/types";

/** What one page of the export must hold, made from the sessions themselves. */
export interface Table {
  fields: readonly SessionField[];
  rows: Cell[][];
}

/** Undefined for a missing value. */
export type Cell = { kind: "text" | "bare"; value: string } | undefined;

export function tableOf(
  sessions: readonly Session[],
  fields: readonly SessionField[],
  guard: (text: string) => string = guarded,
): Table {
  return {
    fields,
    rows: sessions.map((session) => fields.map((field) => cellOf(session, field, guard))),
  };
}

/**
 * The cells as a reader must return them, the header first. A line with nothing in it is one empty
 * cell to some readers and none to others; here it is one.
 */
export function cellTexts({ fields, rows }: Table): string[][] {
  const texts = [[...fields], ...rows.map((row) => row.map((cell) => cell?.value ?? ""))];
  return fields.length === 0 ? texts.map(() => [""]) : texts;
}

/**
 * The documented apostrophe: before a text that begins with a formula character, with whatever
 * invisible characters in front, or with a tab or a line break.
 */
export function guarded(text: string): string {
  const isFormula = /^(?:[\p{Z}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u.test(text);
  return isFormula ? `'${text}` : text;
}

/**
 * Which columns a value of `fields` selects: names are trimmed, the first of duplicates wins,
 * unknown names are dropped, absent or empty means all.
 */
export function selectedFields(fields: string | undefined): readonly SessionField[] {
  if (fields === undefined || fields === "") return SESSION_FIELDS;
  const selected: SessionField[] = [];
  for (const name of fields.split(",")) {
    const field = SESSION_FIELDS.find((one) => one === name.trim());
    if (field !== undefined && !selected.includes(field)) selected.push(field);
  }
  return selected;
}

function cellOf(session: Session, field: SessionField, guard: (text: string) => string): Cell {
  const value = session[field];
  if (value === undefined) return undefined;
  if (typeof value === "object") return { kind: "text", value: JSON.stringify(value) };
  if (typeof value !== "string") return { kind: "bare", value: String(value) };
  const mayBeFormula = field === "summary" || field === "email";
  return { kind: "text", value: mayBeFormula ? guard(value) : value };
}

/**
 * The documented dialect, to the byte: CRLF after every line, bare header, text quoted, numbers and
 * booleans bare, nothing for a missing value.
 */
export function writeCsv(
  { fields, rows }: Table,
  write: (cell: Cell) => string = writeCell,
): string {
  const lines = [fields.join(","), ...rows.map((row) => row.map(write).join(","))];
  return lines.map((line) => `${line}\r\n`).join("");
}

export function writeCell(cell: Cell): string {
  if (cell === undefined) return "";
  return cell.kind === "bare" ? cell.value : quote(cell.value);
}

export function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** Where two tables of cells differ first, in words; undefined when they are equal. */
export function firstDifference(wanted: string[][], read: string[][]): string | undefined {
  for (const [index, row] of wanted.entries()) {
    const got = read[index];
    if (got === undefined) return `row ${index} of ${wanted.length} is missing`;
    const column = row.findIndex((cell, at) => cell !== got[at]);
    if (column >= 0) return `row ${index}, column ${column}: ${shown(row[column]!, got[column])}`;
    if (got.length > row.length) return `row ${index} has ${got.length} cells, not ${row.length}`;
  }
  return read.length > wanted.length ? `${read.length} rows, not ${wanted.length}` : undefined;
}

function shown(want: string, have = ""): string {
  let at = 0;
  while (at < want.length && want[at] === have[at]) at++;
  const near = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 20), at + 40));
  return `wanted ${near(want)}, read ${near(have)} at character ${at}`;
}
