import type { Session } from "@svc/contract/types";
import type fc from "fast-check";
import { assertInLanes } from "../../lanes/assert-in-lanes.ts";
import type { CsvReader } from "./readers.ts";
import { firstAfter, queryOf, secondOf } from "./table-request.ts";
import type { Mark, TableRequest } from "./table-request.ts";
import { cellTexts, firstDifference, writeCsv } from "./table.ts";
import type { Table } from "./table.ts";

const MARKS = 30;
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/** How the proof reaches the server. */
export interface Reach {
  url: string;
  token: string;
}

/** Asks for one table, checks what comes with it, and returns its bytes without the byte order mark. */
export async function fetchTable(reach: Reach, request: TableRequest): Promise<Buffer> {
  const { headers, body } = await get(reach, queryOf(request), request.asPage);
  const wanted = {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": 'attachment; filename="sessions.csv"',
    vary: "Sec-Fetch-Dest",
  };
  for (const [name, value] of Object.entries(wanted)) {
    if (headers.get(name) !== value)
      throw new Error(`${name} is ${headers.get(name)}, not ${value}`);
  }
  const marked = body.subarray(0, 3).equals(BYTE_ORDER_MARK);
  if (marked !== request.asPage)
    throw new Error(`a byte order mark ${marked ? "too many" : "is missing"}`);
  return marked ? body.subarray(3) : body;
}

/** Cursors of places spread over the sessions, as the server gives them in `Link`. */
export async function fetchMarks(reach: Reach, sessions: readonly Session[]): Promise<Mark[]> {
  const marks: Mark[] = [];
  for (let index = 0; index < sessions.length; index += Math.ceil(sessions.length / MARKS)) {
    const since = secondOf(sessions[index]!);
    const { headers } = await get(reach, `fields=&limit=1&since=${since}`);
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "") ?? [];
    if (next === undefined) throw new Error(`no next page after ${since}: ${headers.get("link")}`);
    const cursor = new URL(next).searchParams.get("cursor")!;
    marks.push({ cursor, index: firstAfter(sessions, since) });
  }
  return marks;
}

async function get(
  { url, token }: Reach,
  query: string,
  asPage = false,
): Promise<{ headers: Headers; body: Buffer }> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(asPage && { "sec-fetch-dest": "document" }),
  };
  const answer = await fetch(`${url}/v1/sessions.csv?${query}`, { headers });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${body.toString()}`);
  return { headers: answer.headers, body };
}

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
