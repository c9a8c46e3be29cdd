import { AppError } from "#platform";
import type { Db } from "#platform";
import { findPerson, normalizeEmail } from "#sessions";
import { selectHoldings } from "./store.ts";
import type { Holdings } from "./store.ts";

export type { Holdings } from "./store.ts";

/** A person with more is erased all the same; only this look ends here. */
const MOST_SHOWN = 10_000;

/** What is kept of a person, or of one session. Empty when there is nothing. */
export async function lookUp(
  db: Db,
  whose: { sessionId: string } | { email: string; accountId?: number | undefined },
): Promise<Holdings[]> {
  if ("sessionId" in whose) return selectHoldings(db, [whose.sessionId]);
  const email = normalAddress(whose.email);
  const found = await findPerson(db, { ...whose, email, most: MOST_SHOWN });
  return selectHoldings(
    db,
    found.map(({ id }) => id),
  );
}

/** An address as sessions keep it. The message does not repeat what was typed: it may end in a log. */
export function normalAddress(typed: string): string {
  const address = normalizeEmail(typed);
  if (address !== undefined) return address;
  throw new AppError("invalid_input", {
    what: "That is no mail address.",
    why: "A person is found by an address such as ada@example.com.",
    fix: "Write the whole address, or name a conversation with --session.",
  });
}
