import { quote, writeCell, writeCsv } from "./dialect.ts";
import { firstDifference } from "./first-difference.ts";
import type { CsvReader } from "./readers.ts";
import { cellTexts } from "./table.ts";
import type { Cell, Table } from "./table.ts";

/** The table as written by writers with one fault each, which every reader must show. */
export function faultyFiles(table: Table): Map<string, Buffer> {
  return new Map(
    Object.entries(faultyWriters).map(([fault, write]) => [
      fault,
      Buffer.from(writeCsv(table, write)),
    ]),
  );
}

/** Which readers show that the file does not hold the table. */
export async function readersThatShow(
  readers: CsvReader[],
  table: Table,
  file: Buffer,
): Promise<string[]> {
  const names: string[] = [];
  for (const reader of readers) {
    const cells = await reader.read(file).catch(() => undefined);
    if (cells === undefined || firstDifference(cellTexts(table), cells)) names.push(reader.name);
  }
  return names;
}

const faultyWriters: Record<string, (cell: Cell) => string> = {
  "line-breaks-unquoted": (cell) => {
    const text = cell?.value ?? "";
    return /[",]/.test(text) ? quote(text) : text;
  },
  "quotes-not-doubled": (cell) => (cell?.kind === "text" ? `"${cell.value}"` : writeCell(cell)),
  "text-trimmed": (cell) => writeCell(cell && { ...cell, value: cell.value.trim() }),
  "no-apostrophe": (cell) => writeCell(cell && { ...cell, value: cell.value.replace(/^'/, "") }),
};
