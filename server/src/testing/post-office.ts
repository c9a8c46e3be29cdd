import { createEgress, transact } from "#platform";
import type { Claim, MailMessage, Trx } from "#platform";
import { Deliverer, createExhaustionNotice } from "#webhooks";
import type { FinishedAttempt } from "#webhooks";
import { addCustomer, addReceiver, testSecrets } from "./customer.ts";
import type { Customer } from "./customer.ts";
import type { TestDatabase } from "./database.ts";
import { startEventReceiver } from "./event-receiver.ts";
import type { EventReceiver } from "./event-receiver.ts";
import { captureLog } from "./platform-doubles.ts";
import type { CapturedLog } from "./platform-doubles.ts";

/** A customer with a receiver on this machine, and a deliverer that is told when to try. */
export interface PostOffice {
  customer: Customer;
  endpoint: { id: string; secret: string };
  receiver: EventReceiver;
  deliverer: Deliverer;
  mails: MailMessage[];
  finished: FinishedAttempt[];
  log: CapturedLog;
  /** Gives slots to what is due. */
  admit(): Promise<void>;
  /** Lets time pass until everything that waits is due, gives it slots, and tries each once. */
  tryAll(): Promise<void>;
  /** Tries the first that has a slot, with a claim of the queue that is like this. */
  tryOne(claim?: Partial<Claim<{ deliveryId: string }>>): Promise<void>;
  /** Those that have a slot. */
  running(): Promise<string[]>;
  close(): void;
}

export interface PostOfficeOptions {
  /** The dispatcher's own way to give slots. */
  admit: (trx: Trx) => Promise<unknown>;
  answer?: Parameters<typeof startEventReceiver>[0];
  replayExhausted?: boolean;
}

export async function openPostOffice(
  { db, pool }: TestDatabase,
  { admit, answer, replayExhausted = false }: PostOfficeOptions,
): Promise<PostOffice> {
  const receiver = await startEventReceiver(answer);
  const customer = await addCustomer(db);
  const endpoint = await addReceiver(db, customer, receiver.url, { replayExhausted });
  const egress = createEgress({ allowPlainHttp: true, allowPrivate: true });
  const mails: MailMessage[] = [];
  const finished: FinishedAttempt[] = [];
  const log = captureLog();
  const mail = { send: async (message: MailMessage) => void mails.push(message) };
  const deliverer = new Deliverer({
    db,
    log: log.log,
    egress,
    secrets: testSecrets,
    notice: createExhaustionNotice(db, mail, log.log),
    backoffMs: 30_000,
    deadlineMs: 500,
    onFinished: (one) => finished.push(one),
  });
  const office: PostOffice = {
    customer,
    endpoint,
    receiver,
    deliverer,
    mails,
    finished,
    log,
    admit: async () => void (await transact(db, admit)),
    running: async () => {
      const { rows } = await pool.query<{ id: string }>(
        "SELECT id FROM deliveries WHERE state = 'running' ORDER BY id",
      );
      return rows.map(({ id }) => id);
    },
    tryAll: async () => {
      await pool.query("UPDATE deliveries SET due_at = now() WHERE state = 'waiting'");
      await office.admit();
      for (const deliveryId of await office.running()) {
        await deliverer.run(claimOf({ payload: { deliveryId } }));
      }
    },
    tryOne: async (claim = {}) => {
      const deliveryId = claim.payload?.deliveryId ?? (await office.running())[0]!;
      await deliverer.run(claimOf({ ...claim, payload: { deliveryId } }));
    },
    close: receiver.close,
  };
  return office;
}

function claimOf(
  claim: Partial<Claim<{ deliveryId: string }>> & { payload: { deliveryId: string } },
): Claim<{ deliveryId: string }> {
  const { signal } = new AbortController();
  return { crashes: 0, signal, complete: async () => {}, ...claim };
}
