import { AppError, hashToken, newToken } from "#platform";
import type { Cell, Db, Trx } from "#platform";
import { oneLineText } from "./account.ts";
import { audit } from "./audit.ts";
import { insertToken, markRevoked, selectTokens } from "./store.ts";
import type { ListedToken } from "./store.ts";

export type { ListedToken } from "./store.ts";

/** The token is returned once; only its hash is stored. */
export async function issueToken(
  trx: Trx,
  actor: string,
  cell: Cell,
  accountId: number,
  label: string,
): Promise<{ id: number; label: string; token: string }> {
  const token = newToken(cell);
  const kept = oneLineText(label, "The label", 100);
  const id = await insertToken(trx, accountId, hashToken(token), kept);
  await audit(trx, {
    actor,
    action: "token.issue",
    accountId,
    subject: String(id),
    detail: { label: kept },
  });
  return { id, label: kept, token };
}

/**
 * Token revocation: the token stops working with the commit. A process that has it cached accepts it
 * for at most `REVOKED_WITHIN_MS` more.
 */
export async function revokeToken(
  trx: Trx,
  actor: string,
  tokenId: number,
): Promise<{ accountId: number; label: string }> {
  const revoked = await markRevoked(trx, tokenId);
  if (revoked === undefined) {
    throw new AppError("not_found", {
      what: `There is no working token ${tokenId}.`,
      why: "It never existed, or it has been revoked.",
      fix: "Run `svc tokens list <account>` to see which work.",
    });
  }
  await audit(trx, {
    actor,
    action: "token.revoke",
    accountId: revoked.accountId,
    subject: String(tokenId),
  });
  return revoked;
}

/** All tokens of an account, including revoked ones, the oldest first. */
export async function listTokens(db: Db, accountId: number): Promise<ListedToken[]> {
  return selectTokens(db, accountId);
}
