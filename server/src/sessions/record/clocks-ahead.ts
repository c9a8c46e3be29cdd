import type { Db } from "#platform";
import { selectClocksAhead } from "./clocks-ahead-store.ts";

/** The number of accounts whose last session started more than `graceSecs` in the future, and by how much at most. */
export async function clocksAhead(
  db: Db,
  graceSecs: number,
): Promise<{ accounts: number; aheadSecs: number }> {
  return selectClocksAhead(db, graceSecs);
}
