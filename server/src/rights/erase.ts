import { audit } from "#accounts";
import { AppError, newUuid, transact } from "#platform";
import type { Db, Log, Trx } from "#platform";
import { findPerson } from "#sessions";
import { forget } from "./forget.ts";
import { normalAddress } from "./look-up.ts";
import { addToReceipt, selectReceipts } from "./store.ts";
import type { ListedReceipt, Receipt, ReceiptFilter } from "./store.ts";

export type { Receipt } from "./store.ts";

/**
 * A receipt with the ids of the erased sessions, for telling the customer, who has copies. The ids
 * are logged, and not stored.
 */
export interface Erasure extends Receipt {
  sessionIds: string[];
}

/** `person` for the link in a mail. */
export type AskedBy = "person" | `operator:${string}`;

/** The number of sessions per transaction: small enough that nobody waits long for its locks. */
const MAX_AT_ONCE = 100;

export async function eraseSession(
  { db, log }: { db: Db; log: Log },
  asked: { sessionId: string; askedBy: AskedBy; accountId?: number | undefined },
): Promise<Erasure> {
  const { sessionId, askedBy, accountId } = asked;
  const erasure = await transact(db, (trx) =>
    eraseBatch(trx, { sessionIds: [sessionId], scope: "session", askedBy, accountId }),
  );
  if (erasure === undefined) throw noSuchSession(sessionId);
  tell(log, erasure);
  return erasure;
}

/** Erases every session of an address, in one account or in all. Returns one receipt per account. */
export async function erasePerson(
  { db, log }: { db: Db; log: Log },
  asked: { email: string; askedBy: AskedBy; accountId?: number | undefined },
): Promise<Erasure[]> {
  const email = normalAddress(asked.email);
  const { askedBy, accountId } = asked;
  const erasures = new Map<number, Erasure>();
  for (;;) {
    const [first, ...others] = await findPerson(db, { email, accountId, limit: MAX_AT_ONCE });
    if (first === undefined) return [...erasures.values()];
    const before = erasures.get(first.accountId);
    const sessionIds = [first, ...others]
      .filter((one) => one.accountId === first.accountId)
      .map(({ id }) => id);
    const erasure = await transact(db, (trx) =>
      eraseBatch(trx, {
        sessionIds,
        scope: "person",
        askedBy,
        accountId: first.accountId,
        receiptId: before?.id,
      }),
    );
    // Another process has erased them.
    if (erasure === undefined) continue;
    tell(log, erasure);
    erasures.set(first.accountId, before === undefined ? erasure : together(before, erasure));
  }
}

function together(before: Erasure, after: Erasure): Erasure {
  return {
    ...before,
    sessions: before.sessions + after.sessions,
    deliveriesCancelled: before.deliveriesCancelled + after.deliveriesCancelled,
    sessionIds: [...before.sessionIds, ...after.sessionIds],
  };
}

interface Batch {
  /** All of one account. */
  sessionIds: string[];
  scope: "person" | "session";
  askedBy: AskedBy;
  accountId: number | undefined;
  /** The receipt of the batch before, to which this one is added. */
  receiptId?: string | undefined;
}

/** Undefined when all of the sessions were already gone. */
async function eraseBatch(trx: Trx, batch: Batch): Promise<Erasure | undefined> {
  const { sessions, deliveriesCancelled } = await forget(trx, batch.sessionIds);
  const [first] = sessions;
  if (first === undefined) return undefined;
  const { accountId } = first;
  // Rolls the erasure back, because it is thrown inside the transaction.
  if (batch.accountId !== undefined && batch.accountId !== accountId) throw noSuchSession(first.id);
  const receipt = {
    id: batch.receiptId ?? newUuid(),
    accountId,
    scope: batch.scope,
    askedBy: batch.askedBy,
    sessions: sessions.length,
    deliveriesCancelled,
  };
  const at = await addToReceipt(trx, receipt);
  await audit(trx, {
    actor: batch.askedBy.replace(/^operator:/, ""),
    action: `${batch.scope}.erase`,
    accountId,
    subject: receipt.id,
    detail: { sessions: receipt.sessions, deliveries_cancelled: deliveriesCancelled },
  });
  return { ...receipt, at, sessionIds: sessions.map(({ id }) => id) };
}

/** The line has the ids because it outlives the database: `svc db restored` erases them again after a restore. */
function tell(log: Log, { id, scope, sessionIds, deliveriesCancelled }: Erasure): void {
  log.info({ receipt: id, scope, sessionIds, deliveriesCancelled }, "erased");
}

function noSuchSession(sessionId: string): AppError {
  return new AppError("not_found", {
    what: `There is no session ${sessionId}.`,
    why: "It never existed, belongs to another account, or has been erased.",
    fix: "Run `svc erasures list` to see what was erased.",
  });
}

/** The newest first: erasures that people or operators asked for, and one receipt per account and day for retention. */
export async function listReceipts(db: Db, filter: ReceiptFilter): Promise<ListedReceipt[]> {
  return selectReceipts(db, filter);
}
