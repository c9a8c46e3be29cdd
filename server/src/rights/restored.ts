import { audit } from "#accounts";
import { AppError, transact } from "#platform";
import type { Db, Log } from "#platform";
import { eraseSession } from "./erase.ts";
import { insertRestore, selectPresent } from "./store.ts";
import type { RestoredState } from "./store.ts";

export interface Restored extends RestoredState {
  /** Sessions that the backup had brought back. */
  erasedAgain: number;
}

/**
 * Makes a database that came from a backup safe to start: what was erased since the backup is erased
 * again, and a mail that the lost database may have sent is never sent. Before any process starts,
 * since a pipeline would send at once. Doing it twice changes nothing that matters.
 * @param erasedIds sessions that were erased since the backup was made, and any others that were erased
 */
export async function databaseRestored(
  { db, log }: { db: Db; log: Log },
  { actor, erasedIds }: { actor: string; erasedIds: string[] },
): Promise<Restored> {
  // First of all: a mail must not go out if the erasing below fails half-way.
  const state = await transact(db, async (trx) => {
    const inserted = await insertRestore(trx);
    await audit(trx, { actor, action: "database.restored", subject: inserted.at.toISOString() });
    return inserted;
  });
  let erasedAgain = 0;
  for (const sessionId of await selectPresent(db, erasedIds)) {
    erasedAgain += await eraseAgain({ db, log }, sessionId, actor);
  }
  return { ...state, erasedAgain };
}

async function eraseAgain(
  parts: { db: Db; log: Log },
  sessionId: string,
  actor: string,
): Promise<number> {
  try {
    const { sessions } = await eraseSession(parts, { sessionId, askedBy: `operator:${actor}` });
    return sessions;
  } catch (error) {
    // Somebody else has erased it meanwhile.
    if (error instanceof AppError && error.code === "not_found") return 0;
    throw error;
  }
}
