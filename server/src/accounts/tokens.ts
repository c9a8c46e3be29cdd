import { AppError, hashToken, newToken } from "#platform";
import type { Cell, Trx } from "#platform";
import { audit } from "./audit.ts";
import { insertToken, markRevoked } from "./store.ts";

/** The token's text leaves here once; only its hash is kept. */
export async function issueToken(
  trx: Trx,
  actor: string,
  cell: Cell,
  accountId: number,
  label: string,
): Promise<{ id: number; token: string }> {
  const token = newToken(cell);
  const id = await insertToken(trx, accountId, hashToken(token), label);
  await audit(trx, {
    actor,
    action: "token.issue",
    accountId,
    subject: String(id),
    detail: { label },
  });
  return { id, token };
}

export async function revokeToken(trx: Trx, actor: string, tokenId: number): Promise<void> {
  const revoked = await markRevoked(trx, tokenId);
  if (revoked === undefined) {
    throw new AppError(
      "not_found",
      `There is no working token ${tokenId}. List them to see which are.`,
    );
  }
  await audit(trx, {
    actor,
    action: "token.revoke",
    accountId: revoked.accountId,
    subject: String(tokenId),
  });
}
