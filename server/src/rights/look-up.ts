import { AppError } from "#platform";
import type { Db } from "#platform";
import { findPerson, normalizeEmail } from "#sessions";
import { selectHoldings } from "./store.ts";
import type { Holdings } from "./store.ts";

export type { Holdings } from "./store.ts";

/** Limits only what is shown: an erasure has no such limit. */
const MAX_SHOWN = 10_000;

/** The data that is stored about a person, or of one session. Empty when there is none. */
export async function lookUp(
  db: Db,
  whose: { sessionId: string } | { email: string; accountId?: number | undefined },
): Promise<Holdings[]> {
  if ("sessionId" in whose) return selectHoldings(db, [whose.sessionId]);
  const email = normalAddress(whose.email);
  const found = await findPerson(db, { ...whose, email, limit: MAX_SHOWN });
  return selectHoldings(
    db,
    found.map(({ id }) => id),
  );
}

/**
 * The address in the form that sessions store. The error does not repeat the input, because it may
 * end up in a log.
 */
export function normalAddress(typed: string): string {
  const address = normalizeEmail(typed);
  if (address !== undefined) return address;
  throw new AppError("invalid_input", {
    what: "That is no mail address.",
    why: "A person is found by an address such as ada@example.com.",
    fix: "Write the whole address, or name a conversation with --session.",
  });
}
