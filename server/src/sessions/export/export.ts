import { orUnavailable } from "#platform";
import type { MemoryBudget } from "#platform";
import type pg from "pg";
import { ExportBody, IdlePages } from "./export-body.ts";
import { readPage, selectExportRole } from "./export-store.ts";
import type { ExportPosition, ExportRequest, ExportRole } from "./export-store.ts";

export type { ExportPosition, ExportRequest } from "./export-store.ts";

export type { ExportRole } from "./export-store.ts";

export interface ExportPage {
  body: Buffer;
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
        return {
          body: body.finish(),
          last: body.last,
          completeThrough:
            edge.firstUnsettled === undefined ? edge.lastAt : justBefore(edge.firstUnsettled.at),
          held: request.mode === "as_available" ? 0 : edge.behind,
          release: () => body.release(),
        };
      } catch (error) {
        body.discard();
        throw error;
      }
    },
  };
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
