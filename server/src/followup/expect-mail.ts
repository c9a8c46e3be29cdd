import { DEFAULT_LIMITS } from "#accounts";
import type { AccountSettings } from "#accounts";
import type { Db, Trx } from "#platform";
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
 * Predicts whether the session's first evaluation will be followed by a mail, by the settings of its
 * account and agent alone: whoever talks to an agent can type any address, and must not learn by the
 * answer whether its owner has objected to mails, or was mailed today.
 */
export async function expectMail(
  db: Db,
  sessionId: string,
  { hasMailServer }: { hasMailServer: boolean },
): Promise<ExpectedMail> {
  const session = await selectExpectation(db, sessionId);
  if (session === undefined || !hasMailServer)
    return { isOn: false, address: undefined, verified: null };
  const { email, verified, isWanted } = session;
  return {
    isOn: isWanted,
    address: email ?? undefined,
    verified: email === null ? null : verified,
  };
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
