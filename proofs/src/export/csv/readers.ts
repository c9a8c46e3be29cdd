import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Papa from "papaparse";
import { cellTexts, firstDifference, quote, writeCell, writeCsv } from "./table.ts";
import type { Cell, Table } from "./table.ts";

/** A program that customers open CSV files with. */
export interface CsvReader {
  name: string;
  read(file: Buffer): Promise<string[][]>;
}

/** Python's csv module in its default dialect, in one process for all files. */
export function pythonReader(onEnd: (stop: () => void) => void): CsvReader {
  const script = fileURLToPath(new URL("read_csv.py", import.meta.url));
  const python = spawn("python3", [script], { stdio: ["pipe", "pipe", "inherit"] });
  onEnd(() => python.kill());
  const waiting: PromiseWithResolvers<string[][]>[] = [];
  python.on("error", (error) => waiting.splice(0).forEach((one) => one.reject(error)));
  python.on("exit", (code) => {
    for (const one of waiting.splice(0)) one.reject(new Error(`Python ended with ${code}`));
  });
  createInterface(python.stdout).on("line", (line) => {
    const { rows, error } = JSON.parse(line) as { rows?: string[][]; error?: string };
    const next = waiting.shift();
    if (rows === undefined) next?.reject(new Error(error));
    else next?.resolve(rows.map((row) => (row.length === 0 ? [""] : row)));
  });
  return {
    name: "Python csv",
    read(file) {
      const answer = Promise.withResolvers<string[][]>();
      waiting.push(answer);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(file.length);
      python.stdin.write(Buffer.concat([length, file]));
      return answer.promise;
    },
  };
}

/** Papa Parse as it comes, but for the delimiter: it guesses that from the text, and hostile text misleads it. */
export const papaReader: CsvReader = {
  name: "Papa Parse",
  async read(file) {
    const { data, errors } = Papa.parse<string[]>(file.toString("utf8"), { delimiter: "," });
    if (errors.length > 0) throw new Error(`${errors[0]!.message} in row ${errors[0]!.row}`);
    // It takes the line end of the last row for the beginning of another.
    return data.slice(0, -1);
  },
};

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
