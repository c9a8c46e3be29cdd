import { domainToUnicode } from "node:url";
import type { Db, Trx } from "#platform";
import { selectByAddress } from "./forget-store.ts";
import type { PersonsSession } from "./forget-store.ts";

/**
 * Sessions that belong to an address in its normal form: as the session's `email`, or as a site wrote
 * it into the metadata key `email` of an imported session. The oldest first within each account.
 */
export async function findPerson(
  db: Db | Trx,
  person: { email: string; accountId?: number | undefined; most: number },
): Promise<PersonsSession[]> {
  const { email, accountId, most } = person;
  const at = email.lastIndexOf("@");
  const written = `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`;
  return selectByAddress(db, [email, written], { accountId, most });
}
