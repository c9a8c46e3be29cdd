import { DEFAULT_LIMITS, readSettings } from "#accounts";
import type { AccountSettings } from "#accounts";
import type { Db, Trx } from "#platform";
import type { AddressMarks } from "./address-marks.ts";
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
  const recipient = { sessionId, accountId, marks: marks.marks(email) };
  const settings = await readSettings(db, accountId);
  const isOn = isWanted && (await recipientRefusal(db, recipient, settings)) === undefined;
  return { isOn, address: email, verified };
}

/** The reason why this person gets no mail about this session now. */
export async function recipientRefusal(
  db: Db | Trx,
  recipient: Recipient & { sessionId: string },
  { limits }: Pick<AccountSettings, "limits">,
): Promise<"suppressed" | "limit" | undefined> {
  if (await isSuppressed(db, recipient)) return "suppressed";
  const max = { ...DEFAULT_LIMITS, ...limits };
  const mailed = await countMailed(db, recipient);
  const isAtLimit =
    mailed.toMailbox >= MAX_TO_MAILBOX ||
    mailed.ofAccountToMailbox >= (max.daily_mails_per_address ?? Infinity) ||
    mailed.ofVisitor >= (max.daily_mails_per_visitor ?? Infinity) ||
    mailed.ofAccount >= (max.daily_mails_per_account ?? Infinity);
  return isAtLimit ? "limit" : undefined;
}

/** Within 24 hours, from all accounts together: they send under one name, and the inbox is one. */
const MAX_TO_MAILBOX = 10;
