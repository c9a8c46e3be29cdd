import { newUuid, transact } from "#platform";
import type { Db } from "#platform";
import { outlivedSessions } from "#sessions";
import { forget } from "./forget.ts";
import { addToDay, tryRetentionLock } from "./store.ts";

/**
 * Removes a batch of the sessions that their account keeps no longer, and says how many there were.
 * One process at a time: where another is at it, there is nothing to do.
 */
export async function retainOnce(db: Db, most: number): Promise<number> {
  return transact(db, async (trx) => {
    if (!(await tryRetentionLock(trx))) return 0;
    const outlived = await outlivedSessions(trx, most);
    const { sessions, deliveriesCancelled } = await forget(
      trx,
      outlived.map(({ id }) => id),
    );
    const [first] = sessions;
    if (first === undefined) return 0;
    await addToDay(trx, {
      id: newUuid(),
      accountId: first.accountId,
      sessions: sessions.length,
      deliveriesCancelled,
    });
    return sessions.length;
  });
}
