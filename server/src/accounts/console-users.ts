import { randomBytes } from "node:crypto";
import { AppError, hashToken, orUnavailable, transact } from "#platform";
import type { Db, Trx } from "#platform";
import { oneLineText } from "./account.ts";
import { writeActor } from "./actor.ts";
import { audit } from "./audit.ts";
import {
  CONSOLE_ROLES,
  deleteSession,
  deleteUser,
  insertLink,
  insertSession,
  selectNameOfLink,
  selectUser,
  selectUserOfSession,
  selectUsers,
  takeLink,
  touchSession,
  writeUser,
} from "./console-users-store.ts";
import type { ConsoleRole, ConsoleUser, ListedConsoleUser } from "./console-users-store.ts";

export { CONSOLE_ROLES } from "./console-users-store.ts";
export type { ConsoleRole, ConsoleUser, ListedConsoleUser } from "./console-users-store.ts";

/** The life of a printed link. */
const LINK_MINUTES = 10;
/** A sign-in ends after an hour without a request, and after a working day in any case. */
const SESSION_AGES = { idleMinutes: 60, absoluteMinutes: 12 * 60 } as const;
/** A look-up by key that takes this long finds the database in trouble. */
const LOOK_UP_WITHIN_MS = 2_000;

export interface ConsoleLogin {
  name: string;
  /** Needed for somebody new; for others it replaces their role. */
  role?: ConsoleRole;
  /** Replaces the accounts that they see; "all" for every account. */
  accounts?: number[] | "all";
}

/** Makes a link that signs somebody in once, and makes the person where they are new. Only its hash is stored. */
export async function makeConsoleLink(
  trx: Trx,
  actor: string,
  login: ConsoleLogin,
): Promise<{ token: string; expiresAt: Date; user: ConsoleUser }> {
  const name = oneLineText(login.name, "The name", 100);
  const known = await selectUser(trx, name);
  const role = login.role ?? known?.role ?? refuseRole(name);
  const kept = known?.accounts?.map(({ id }) => id);
  const accounts = login.accounts === "all" ? undefined : (login.accounts ?? kept);
  if (role === "admin" && accounts !== undefined) throw adminOfSome(name);
  const userId = await writeUser(trx, { name, role, accounts });
  const user = (await selectUser(trx, name))!;
  const token = randomBytes(32).toString("base64url");
  const expiresAt = await insertLink(trx, userId, hashToken(token), LINK_MINUTES);
  const seen = user.accounts?.map(({ clientId }) => clientId) ?? "all";
  await audit(trx, {
    actor,
    action: "console.link",
    subject: name,
    detail: { role, accounts: seen },
  });
  return { token, expiresAt, user };
}

function refuseRole(name: string): never {
  throw new AppError("invalid_input", {
    what: `There is nobody named ${name} yet.`,
    why: "Somebody new needs a role.",
    fix: `Add --role with one of ${CONSOLE_ROLES.join(", ")}.`,
  });
}

function adminOfSome(name: string): AppError {
  return new AppError("invalid_input", {
    what: `${name} cannot be admin of some accounts.`,
    why: "An admin sees all accounts, and the audit of everybody.",
    fix: "Give --role operator with --account, or --role admin with --all-accounts.",
  });
}

export async function listConsoleUsers(db: Db): Promise<ListedConsoleUser[]> {
  return selectUsers(db);
}

/** Ends what they have open, too. */
export async function removeConsoleUser(trx: Trx, actor: string, name: string): Promise<void> {
  if (!(await deleteUser(trx, name))) {
    throw new AppError("not_found", {
      what: `There is nobody named ${name}.`,
      why: "They never were, or have been removed.",
      fix: "Run `svc console list` to see who may sign in.",
    });
  }
  await audit(trx, { actor, action: "console.remove", subject: name });
}

/** The name behind a link that still works. Looking does not use it up: chat programs open links before people do. */
export async function nameOfConsoleLink(db: Db, token: string): Promise<string | undefined> {
  return orUnavailable(() => selectNameOfLink(db, hashToken(token)), LOOK_UP_WITHIN_MS);
}

/** Uses up a link. The session's id is always new, so that nobody can be given one that somebody else knows. */
export async function signIn(
  db: Db,
  token: string,
): Promise<{ sessionId: string; user: ConsoleUser } | undefined> {
  return transact(db, async (trx) => {
    const user = await takeLink(trx, hashToken(token));
    return user && startSession(trx, user);
  });
}

/** Signs in somebody whose name a provider vouches for; undefined for whom nobody has let in. */
export async function signInByName(
  db: Db,
  name: string,
): Promise<{ sessionId: string; user: ConsoleUser } | undefined> {
  return transact(db, async (trx) => {
    const user = await selectUser(trx, name);
    return user && startSession(trx, user);
  });
}

async function startSession(
  trx: Trx,
  user: ConsoleUser,
): Promise<{ sessionId: string; user: ConsoleUser }> {
  const sessionId = randomBytes(32).toString("base64url");
  await insertSession(trx, user.id, hashToken(sessionId), SESSION_AGES);
  await audit(trx, { actor: actorOf(user), action: "console.sign_in", subject: user.name });
  return { sessionId, user };
}

export async function signOut(db: Db, sessionId: string): Promise<void> {
  await deleteSession(db, hashToken(sessionId));
}

/** Who uses this session, with the role and accounts that they have now; undefined when it ended or never was. */
export async function userOfSession(db: Db, sessionId: string): Promise<ConsoleUser | undefined> {
  const hash = hashToken(sessionId);
  return orUnavailable(async () => {
    const found = await selectUserOfSession(db, hash, SESSION_AGES);
    if (found === undefined) return undefined;
    const { isStale, ...user } = found;
    // Once a minute is enough to know that it is in use.
    if (isStale) await touchSession(db, hash);
    return user;
  }, LOOK_UP_WITHIN_MS);
}

/** As the audit stores them. */
export function actorOf({ name }: ConsoleUser): string {
  return writeActor({ kind: "console", name });
}

export function hasRole({ role }: ConsoleUser, least: ConsoleRole): boolean {
  return CONSOLE_ROLES.indexOf(role) >= CONSOLE_ROLES.indexOf(least);
}

/** By the account's number or its client id. */
export function seesAccount(
  { accounts }: Pick<ConsoleUser, "accounts">,
  account: number | string,
): boolean {
  return accounts?.some(({ id, clientId }) => account === id || account === clientId) ?? true;
}
