import { setTimeout as delay } from "node:timers/promises";
import { AppError, orUnavailable } from "#platform";
import type { MemoryBudget } from "#platform";
import type pg from "pg";
import { ExportBody, IdlePages } from "./export-body.ts";
import { PART_BYTES, readPage, readPart, selectExportRole } from "./export-store.ts";
import type { ExportPosition, ExportRequest, ExportRole, WaitingRow } from "./export-store.ts";

export type { ExportPosition, ExportRequest } from "./export-store.ts";

export type { ExportRole } from "./export-store.ts";

export interface ExportPage {
  /** The page, or its beginning if there is a `rest`. */
  body: Buffer;
  /** What follows of a page that is too large to be held in memory. It is read as it is taken. */
  rest?: AsyncGenerator<Buffer>;
  /** The position of the last session in the page. */
  last: ExportPosition | undefined;
  /** No session will ever be added before this time and after the start of the request. */
  completeThrough: string;
  /** The number of settled sessions that wait behind an unsettled one, counted up to 10,000. */
  held: number;
  /** Releases the page's memory. Call it once the page was sent or abandoned. */
  release(): void;
}

export interface Exporter {
  page(request: ExportRequest): Promise<ExportPage>;
}

export function createExporter(pool: pg.Pool, budget: MemoryBudget): Exporter {
  const idle = new IdlePages();
  return {
    async page(request) {
      const body = new ExportBody(request, budget, idle);
      try {
        const edge = await orUnavailable(() => readPage(pool, request, (row) => body.add(row)));
        const rest = body.waiting.length === 0 ? undefined : readRest(pool, request, body);
        return {
          body: body.finish(),
          ...(rest && { rest }),
          last: body.last,
          completeThrough:
            edge.firstUnsettled === undefined ? edge.lastAt : justBefore(edge.firstUnsettled.at),
          held: request.mode === "as_available" ? 0 : edge.behind,
          // A part that is being read is finished first: it would write into memory that was given back.
          release: () =>
            rest ? void rest.return(undefined).then(() => body.discard()) : body.release(),
        };
      } catch (error) {
        body.discard();
        throw error;
      }
    },
  };
}

/** A part is read again while the database or memory is not to be had: so many times, so far apart. */
const TRIES = 10;
const REST_MS = 1_000;
/** Sent at once, so that little more than the part itself is in memory. */
const CHUNK_BYTES = 262_144;

/**
 * Reads the waiting rows part by part, each in a short transaction of its own: a slow reader holds
 * no connection and no snapshot. The page's rows and their order are those of its first statement.
 */
async function* readRest(
  pool: pg.Pool,
  request: ExportRequest,
  body: ExportBody,
): AsyncGenerator<Buffer> {
  for (const part of partsOf(body.waiting)) {
    await persist(() => {
      body.beginPart(part.reduce((sum, { bytes }) => sum + bytes + 1_024, 0));
      return readPart(pool, request, part, (row) => body.add(row));
    });
    const bytes = body.part();
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      yield bytes.subarray(at, at + CHUNK_BYTES);
    }
  }
  yield Buffer.from(body.end);
}

/** Rows of together `PART_BYTES` at most, or one that is larger. */
function partsOf(rows: readonly WaitingRow[]): WaitingRow[][] {
  const parts: WaitingRow[][] = [];
  let left = 0;
  for (const row of rows) {
    if (row.bytes > left) {
      parts.push([]);
      left = PART_BYTES;
    }
    parts.at(-1)!.push(row);
    left -= row.bytes;
  }
  return parts;
}

async function persist(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await orUnavailable(work);
    } catch (error) {
      const passes = error instanceof AppError && error.code === "unavailable";
      if (!passes || tries === TRIES) throw error;
      await delay(REST_MS);
    }
  }
}

/** The position at which reading starts without a cursor: after every id of that second. */
export function positionSince(sinceSecs: number): ExportPosition {
  return {
    at: new Date(sinceSecs * 1_000).toISOString(),
    id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
  };
}

function justBefore(at: string): string {
  return new Date(Date.parse(at) - 1).toISOString();
}

/**
 * Logs in as the export does and reports what it can read while no account is named. It must be
 * nothing: otherwise a mistake in a statement could show one customer the sessions of another.
 */
export async function askExportRole(url: string): Promise<ExportRole> {
  return selectExportRole(url);
}
