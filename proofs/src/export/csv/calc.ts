import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { CsvReader } from "./readers.ts";
import { cellTexts } from "./table.ts";
import type { Table } from "./table.ts";

const run = promisify(execFile);

/** Comma, double quotes, UTF-8, from line 1. */
const DIALECT = "44,34,76,1";
const ALL_COLUMNS_AS_TEXT = `CSV:${DIALECT},${Array.from({ length: 11 }, (_, i) => `${i + 1}/2`).join("/")}`;
/** As a double click opens it: every column "standard", so that quoted text may become a number, a date or a formula. */
const STANDARD_COLUMNS = `CSV:${DIALECT},,0,false,true`;
const TO_CSV = `csv:Text - txt - csv (StarCalc):${DIALECT},,0,true,false,false`;
const TO_XLSX = "xlsx:Calc MS Excel 2007 XML";
/** LibreOffice cuts a longer cell. */
const LONGEST_CELL = 65_535;

/** Opens the files in LibreOffice Calc with every column as text and returns what its cells hold. */
export async function readInCalc(
  home: string,
  files: Map<string, Buffer>,
  reader: CsvReader,
): Promise<Map<string, string[][]>> {
  const out = await convert(join(home, "as-text"), files, ALL_COLUMNS_AS_TEXT, TO_CSV);
  const read = new Map<string, string[][]>();
  for (const name of files.keys()) {
    read.set(name, await reader.read(await readFile(join(out, `${name}.csv`))));
  }
  return read;
}

export interface SheetFormulas {
  cells: number;
  /** Where they stand: "B7". */
  formulas: string[];
}

/** Opens the files in LibreOffice Calc as a double click does and returns the cells that became formulas. */
export async function findFormulas(
  home: string,
  files: Map<string, Buffer>,
): Promise<Map<string, SheetFormulas>> {
  const out = await convert(join(home, "standard"), files, STANDARD_COLUMNS, TO_XLSX);
  const script = fileURLToPath(new URL("find_formulas.py", import.meta.url));
  const sheets = [...files.keys()].map((name) => join(out, `${name}.xlsx`));
  const { stdout } = await run("python3", [script, ...sheets], { maxBuffer: 2 ** 26 });
  const found = JSON.parse(stdout) as Record<string, SheetFormulas>;
  return new Map([...files.keys()].map((name) => [name, found[`${name}.xlsx`]!]));
}

/**
 * The cells that LibreOffice must show. It is known to change two things when it opens a file: it
 * ends every line inside a cell with one line feed, and cuts a cell at 65,535 characters.
 * Everything else must be equal.
 */
export function calcTexts(table: Table): string[][] {
  return cellTexts(table).map((row) =>
    row.map((text) => text.slice(0, LONGEST_CELL).replaceAll(/\r\n|\n\r|\r/g, "\n")),
  );
}

export async function calcVersion(): Promise<string> {
  const { stdout } = await run("soffice", ["--version"]);
  return stdout.split(" ").slice(0, 2).join(" ");
}

/** One command for all files: starting LibreOffice takes longer than reading them. */
async function convert(
  home: string,
  files: Map<string, Buffer>,
  from: string,
  to: string,
): Promise<string> {
  await mkdir(home, { recursive: true });
  const paths = [...files.keys()].map((name) => join(home, `${name}.csv`));
  await Promise.all([...files.values()].map((bytes, index) => writeFile(paths[index]!, bytes)));
  const profile = pathToFileURL(join(home, "profile")).href;
  const out = join(home, "out");
  await run("soffice", [
    `-env:UserInstallation=${profile}`,
    "--headless",
    "--convert-to",
    to,
    `--infilter=${from}`,
    "--outdir",
    out,
    ...paths,
  ]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error(
      "LibreOffice Calc is not installed.\nThis proof opens our CSV files in it, as customers do.\nInstall it: apt-get install libreoffice-calc-nogui",
    );
  });
  return out;
}
