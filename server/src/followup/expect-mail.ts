import { DEFAULT_LIMITS, readSettings } from "#accounts";
import type { AccountSettings } from "#accounts";
import type { Db, Trx } from "#platform";
import type { AddressMarks } from "./person-links.ts";
import { countMailed, selectExpectation } from "./store.ts";
import type { Recipient } from "./suppression-store.ts";
import { isSuppressed } from "./suppression.ts";

/** What is known about a session's mail while its conversation lasts. */
export interface ExpectedMail {
  /** False when no mail will be sent, whatever the evaluation says. */
  isOn: boolean;
  /** The session's address; undefined while it has none. */
  address: string | undefined;
  /** Whether the address's domain accepts mail; null while that is not known. */
  verified: boolean | null;
}

/**
 * Predicts whether the session's first evaluation will be followed by a mail: by the settings of its
 * account and agent, and by what the address has received or objected to so far.
 *
 * @param marks undefined where no mail server is configured.
 */
export async function expectMail(
  db: Db,
  sessionId: string,
  marks: AddressMarks | undefined,
): Promise<ExpectedMail> {
  const session = await selectExpectation(db, sessionId);
  if (session === undefined || marks === undefined)
    return { isOn: false, address: undefined, verified: null };
  const { accountId, email, verified, isWanted } = session;
  if (email === null) return { isOn: isWanted, address: undefined, verified: null };
  const recipient = { accountId, marks: marks.marks(email) };
  const settings = await readSettings(db, accountId);
  const isOn = isWanted && (await recipientRefusal(db, recipient, settings)) === undefined;
  return { isOn, address: email, verified };
}

/** The reason why this person gets no mail from the account now. */
export async function recipientRefusal(
  db: Db | Trx,
  recipient: Recipient,
  { limits }: Pick<AccountSettings, "limits">,
): Promise<"suppressed" | "limit" | undefined> {
  if (await isSuppressed(db, recipient)) return "suppressed";
  const { daily_mails_per_address: maxMails } = { ...DEFAULT_LIMITS, ...limits };
  return maxMails !== null && (await countMailed(db, recipient)) >= maxMails ? "limit" : undefined;
}
