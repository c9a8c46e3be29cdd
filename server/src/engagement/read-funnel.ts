import type { Db } from "#platform";
import type { FunnelEvent } from "@svc/contract/types";
import { selectDimension, selectTotals } from "./store.ts";
import type { FunnelDimension, FunnelEventCount, FunnelFilter } from "./store.ts";

export type { FunnelDimension, FunnelFilter } from "./store.ts";

/** What was counted on pages, by the value of a dimension. `null` is not known. */
export type FunnelRows = Map<string | null, Partial<Record<FunnelEvent, number>>>;

/**
 * The events of pages that were counted. Pages with an SDK from before a dimension was counted do not
 * say it, and a language is not chosen before the demo opens: these counts stand under `null`.
 */
export async function readFunnel(
  db: Db,
  filter: FunnelFilter,
  by?: FunnelDimension,
): Promise<FunnelRows> {
  if (by === undefined || by === "day" || by === "agent")
    return rowsOf(await selectTotals(db, filter, by));
  const rows = rowsOf(await selectDimension(db, filter, by));
  const known = [...rows.values()];
  const totals = rowsOf(await selectTotals(db, filter)).get(null) ?? {};
  for (const [event, total] of Object.entries(totals) as [FunnelEvent, number][]) {
    const rest = total - known.reduce((sum, counts) => sum + (counts[event] ?? 0), 0);
    if (rest > 0) add(rows, { value: null, event, count: rest });
  }
  return rows;
}

function rowsOf(counts: FunnelEventCount[]): FunnelRows {
  const rows: FunnelRows = new Map();
  for (const count of counts) add(rows, count);
  return rows;
}

function add(rows: FunnelRows, { value, event, count }: FunnelEventCount): void {
  rows.set(value, { ...rows.get(value), [event]: count });
}
