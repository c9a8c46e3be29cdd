import { AppError, hashToken, newOperatorToken, orUnavailable } from "#platform";
import type { Cell, Db, Trx } from "#platform";
import { oneLineText } from "./account.ts";
import { audit } from "./audit.ts";
import {
  deleteConsoleToken,
  insertConsoleToken,
  selectConsoleTokens,
  selectUserOfToken,
  touchToken,
} from "./console-tokens-store.ts";
import type { ConsoleToken } from "./console-tokens-store.ts";
import type { ConsoleUser } from "./console-users-store.ts";

export type { ConsoleToken } from "./console-tokens-store.ts";

/** Long enough to be no daily chore, short enough that a forgotten one ends by itself. */
const TOKEN_DAYS = 30;
/** A look-up by key that takes this long finds the database in trouble. */
const LOOK_UP_WITHIN_MS = 2_000;

/** Makes a token with which a person asks the admin API. It is returned once; only its hash is stored. */
export async function makeConsoleToken(
  trx: Trx,
  actor: string,
  cell: Cell,
  { id: userId, name }: Pick<ConsoleUser, "id" | "name">,
  label: string,
): Promise<ConsoleToken & { token: string }> {
  const token = newOperatorToken(cell);
  const kept = oneLineText(label, "The label", 100);
  const hash = hashToken(token);
  const made = await insertConsoleToken(trx, { userId, hash, label: kept, days: TOKEN_DAYS });
  await audit(trx, { actor, action: "console.token", subject: name, detail: { id: made.id } });
  return { ...made, token };
}

/** Those that work, the newest first. */
export async function listConsoleTokens(db: Db, userId: number): Promise<ConsoleToken[]> {
  return selectConsoleTokens(db, userId);
}

export async function revokeConsoleToken(
  trx: Trx,
  actor: string,
  { id: userId, name }: Pick<ConsoleUser, "id" | "name">,
  id: number,
): Promise<ConsoleToken> {
  const revoked = await deleteConsoleToken(trx, userId, id);
  if (revoked === undefined) {
    throw new AppError("not_found", {
      what: `You have no token ${id}.`,
      why: "It never was yours, it has ended, or it has been revoked.",
      fix: "Open your page in the console to see which work.",
    });
  }
  await audit(trx, { actor, action: "console.token_revoke", subject: name, detail: { id } });
  return revoked;
}

/** Whose token this is, with the role and accounts that they have now; undefined when it ended or never was. */
export async function userOfConsoleToken(db: Db, token: string): Promise<ConsoleUser | undefined> {
  const hash = hashToken(token);
  return orUnavailable(async () => {
    const found = await selectUserOfToken(db, hash);
    if (found === undefined) return undefined;
    const { isStale, ...user } = found;
    if (isStale) await touchToken(db, hash);
    return user;
  }, LOOK_UP_WITHIN_MS);
}
