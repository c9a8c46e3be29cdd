import type { Db } from "#platform";
import { deleteOldVisits } from "./visit-store.ts";

const KEPT_HOURS = 24;
const FORGOTTEN_AT_ONCE = 5_000;

/** Forgets how visits of the day before began, addresses among them. Returns how many there were. */
export async function forgetVisits(db: Db): Promise<number> {
  let forgotten = 0;
  for (let more = true; more;) {
    const deleted = await deleteOldVisits(db, KEPT_HOURS, FORGOTTEN_AT_ONCE);
    forgotten += deleted;
    more = deleted === FORGOTTEN_AT_ONCE;
  }
  return forgotten;
}
