import { listConsoleTokens, makeConsoleToken, revokeConsoleToken } from "#accounts";
import type { ConsoleToken as StoredToken } from "#accounts";
import { AppError, transact } from "#platform";
import {
  ConsoleMe,
  ConsoleToken,
  ConsoleTokens,
  IssuedConsoleToken,
  TokenOrder,
} from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { parse, tokenNumber } from "./admin-request.ts";
import type { AdminRoute, Caller } from "./admin-request.ts";
import { toConsoleMe } from "./to-console-me.ts";

const readMe: AdminRoute<types.ConsoleMe> = {
  method: "GET",
  path: "/admin/v1/me",
  least: "viewer",
  output: ConsoleMe,
  answer: async ({ user }) => toConsoleMe(user),
};

const listMyTokens: AdminRoute<types.ConsoleTokens> = {
  method: "GET",
  path: "/admin/v1/me/tokens",
  least: "viewer",
  output: ConsoleTokens,
  answer: async ({ db, user }) => ({
    tokens: (await listConsoleTokens(db, personOf(user).id)).map(toConsoleToken),
  }),
};

/** Not with a token: one that was stolen would make itself successors. */
const makeMyToken: AdminRoute<types.IssuedConsoleToken> = {
  method: "POST",
  path: "/admin/v1/me/tokens",
  least: "viewer",
  pagesOnly: true,
  output: IssuedConsoleToken,
  answer: async ({ db, user, desk, body }) => {
    const { label } = parse(TokenOrder, body);
    const made = await transact(db, (trx) =>
      makeConsoleToken(trx, user.actor, desk.cell(), personOf(user), label),
    );
    return { ...toConsoleToken(made), token: made.token };
  },
};

const revokeMyToken: AdminRoute<types.ConsoleToken> = {
  method: "POST",
  path: "/admin/v1/me/tokens/:id/revoke",
  least: "viewer",
  output: ConsoleToken,
  answer: async ({ db, user, params }) => {
    const id = tokenNumber(params);
    const revoked = transact(db, (trx) => revokeConsoleToken(trx, user.actor, personOf(user), id));
    return toConsoleToken(await revoked);
  },
};

function toConsoleToken({
  id,
  label,
  createdAt,
  expiresAt,
  usedAt,
}: StoredToken): types.ConsoleToken {
  return {
    id,
    label,
    issued_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    ...(usedAt !== null && { used_at: usedAt.toISOString() }),
  };
}

/** Whoever has the database's login is nobody of the console. */
function personOf({ id, name }: Caller): { id: number; name: string } {
  if (id !== undefined) return { id, name };
  throw new AppError("invalid_input", {
    what: "You have no tokens of your own.",
    why: "You are not signed in to the console.",
    fix: "Make one for somebody with `svc console login --name … --token`.",
  });
}

export const ME_ROUTES: AdminRoute[] = [readMe, listMyTokens, makeMyToken, revokeMyToken];
