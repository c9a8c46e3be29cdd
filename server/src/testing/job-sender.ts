import { createJobSender, createLog } from "#platform";
import type { Db, JobSender } from "#platform";

const senders = new WeakMap<Db, JobSender>();

/** One per database, so that ten thousand ended sessions open the queue once. */
export function jobSenderOf(db: Db): JobSender {
  const sender = senders.get(db) ?? createJobSender(db, createLog("silent"));
  senders.set(db, sender);
  return sender;
}
