import type { Cell, Table } from "./table.ts";

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
