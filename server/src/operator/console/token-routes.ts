import { issueToken, listTokens, revokeToken, seesAccount } from "#accounts";
import type { ListedToken as StoredToken } from "#accounts";
import { transact } from "#platform";
import { AccountTokens, IssuedToken, RevokedToken, TokenOrder } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { found, parse, seenAccount, tokenNumber, unknown } from "./admin-request.ts";
import type { AdminRoute } from "./admin-request.ts";

export const listAccountTokens: AdminRoute<types.AccountTokens> = {
  method: "GET",
  path: "/admin/v1/accounts/:id/tokens",
  least: "operator",
  output: AccountTokens,
  answer: async ({ db, user, params }) => {
    const { id, clientId, name } = await seenAccount(db, user, params["id"]!);
    const tokens = await listTokens(db, id);
    return { client_id: clientId, name, tokens: tokens.map(toListedToken) };
  },
};

export function toListedToken(token: StoredToken): types.ListedToken {
  return {
    id: token.id,
    label: token.label,
    issued_at: token.createdAt.toISOString(),
    ...(token.revokedAt !== null && { revoked_at: token.revokedAt.toISOString() }),
  };
}

export const issueAccountToken: AdminRoute<types.IssuedToken> = {
  method: "POST",
  path: "/admin/v1/accounts/:id/tokens",
  least: "operator",
  output: IssuedToken,
  answer: async ({ db, user, desk, params, body }) => {
    const order = parse(TokenOrder, body);
    const issued = await transact(db, async (trx) => {
      const { id: accountId, clientId, name } = await seenAccount(trx, user, params["id"]!);
      const { id, label, token } = await issueToken(
        trx,
        user.actor,
        desk.cell(),
        accountId,
        order.label,
      );
      return { id, client_id: clientId, name, label, token };
    });
    const url = desk.publicUrl();
    return { ...issued, ...(url !== undefined && { url }) };
  },
};

/** A server remembers a good token for 3 s; the rest is for its clock and the network. */
const REVOKED_WITHIN_SECS = 5;

export const revokeAccountToken: AdminRoute<types.RevokedToken> = {
  method: "POST",
  path: "/admin/v1/tokens/:id/revoke",
  least: "operator",
  output: RevokedToken,
  answer: async ({ db, user, params }) => {
    const id = tokenNumber(params);
    const typed = String(id);
    const label = await transact(db, async (trx) => {
      const revoked = await found(user, revokeToken(trx, user.actor, id), "token", typed);
      // Thrown inside the transaction: it takes the revocation back.
      if (!seesAccount(user, revoked.accountId)) throw unknown("token", typed);
      return revoked.label;
    });
    return { id, label, within_secs: REVOKED_WITHIN_SECS };
  },
};

export const TOKEN_ROUTES: AdminRoute[] = [
  listAccountTokens,
  issueAccountToken,
  revokeAccountToken,
];
