import type fc from "fast-check";
import { assertInLanes } from "../lanes/assert-in-lanes.ts";
import { writeCsv } from "./dialect.ts";
import { fetchTable } from "./fetch-table.ts";
import type { Reach } from "./fetch-table.ts";
import { firstDifference } from "./first-difference.ts";
import type { CsvReader } from "./readers.ts";
import { cellTexts } from "./table.ts";
import type { Table } from "./table.ts";
import type { TableRequest } from "./table-request.ts";

export interface TableRun {
  reach: Reach;
  readers: CsvReader[];
  requests: fc.Arbitrary<TableRequest>;
  wanted(request: TableRequest): Table;
  seed: number;
  total: number;
  timeMs: number;
  onTable(): void;
}

/** Asks for random tables until there are enough or time is up; throws with the smallest request that fails. */
export async function checkTables(run: TableRun): Promise<void> {
  const check = async (request: TableRequest): Promise<void> => {
    await checkTable(run, request);
    run.onTable();
  };
  const { requests, seed, total, timeMs } = run;
  await assertInLanes(requests, () => ({ check }), { lanes: 4, runs: total, seed, timeMs });
}

async function checkTable(
  { reach, readers, wanted }: TableRun,
  request: TableRequest,
): Promise<void> {
  const file = await fetchTable(reach, request);
  const table = wanted(request);
  // Compared as bytes: text that is not UTF-8 would otherwise look like U+FFFD.
  if (!file.equals(Buffer.from(writeCsv(table)))) {
    const cells = await readers[0]!.read(file);
    const where = firstDifference(cellTexts(table), cells) ?? "the cells are equal";
    throw new Error(`not the documented dialect: ${where}`);
  }
  for (const reader of readers) {
    const difference = firstDifference(cellTexts(table), await reader.read(file));
    if (difference !== undefined) throw new Error(`${reader.name}: ${difference}`);
  }
}
