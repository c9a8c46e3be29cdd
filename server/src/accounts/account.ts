import { AppError, newClientId } from "#platform";
import type { Cell, Db, Trx } from "#platform";
import { audit } from "./audit.ts";
import {
  insertAccount,
  selectAccounts,
  selectByClientId,
  selectById,
  selectByNamePrefix,
  updateName,
} from "./store.ts";
import type { Account, ListedAccount } from "./store.ts";

export { EXPORT_MODES } from "./store.ts";
export type { Account, ExportMode, ListedAccount } from "./store.ts";

export async function addAccount(
  trx: Trx,
  actor: string,
  cell: Cell,
  name: string,
): Promise<Account> {
  const clientId = newClientId(cell);
  const kept = oneLineText(name, "The account's name", 200);
  const id = await insertAccount(trx, clientId, kept);
  await audit(trx, { actor, action: "account.add", accountId: id, subject: clientId });
  return { id, clientId, name: kept, exportMode: "settled_prefix" };
}

/** Changes what people call the account; its client id stays. */
export async function renameAccount(
  trx: Trx,
  actor: string,
  { id, clientId, name: from }: Account,
  name: string,
): Promise<Account["name"]> {
  const to = oneLineText(name, "The account's name", 200);
  if (to === from) return to;
  await updateName(trx, id, to);
  await audit(trx, {
    actor,
    action: "account.rename",
    accountId: id,
    subject: clientId,
    detail: { name: { from, to } },
  });
  return to;
}

/** All accounts, the oldest first. */
export async function listAccounts(db: Db): Promise<ListedAccount[]> {
  return selectAccounts(db);
}

/** Finds an account by what an operator types: its client id, its number, or the start of its name. */
export async function findAccount(db: Db | Trx, text: string): Promise<Account> {
  const typed = text.trim();
  const exact =
    (await selectByClientId(db, typed)) ??
    (/^\d{1,9}$/.test(typed) ? await selectById(db, Number(typed)) : undefined);
  if (exact !== undefined) return exact;
  const named = typed === "" ? [] : await selectByNamePrefix(db, typed, MAX_CANDIDATES + 1);
  const [first, second] = named;
  // An exact match beats the start of another account's name.
  const isWhole = (account: Account): boolean => sameText(account.name, typed);
  if (first !== undefined && (second === undefined || (isWhole(first) && !isWhole(second)))) {
    return first;
  }
  if (first === undefined) {
    throw new AppError("not_found", {
      what: `There is no account "${typed}".`,
      why: "No client id, number or name begins like that.",
      fix: "Run `svc accounts list` to see which there are.",
    });
  }
  const candidates = named
    .slice(0, MAX_CANDIDATES)
    .map((account) => `${account.name} (${account.clientId})`);
  if (named.length > MAX_CANDIDATES) candidates.push("and more");
  throw new AppError("conflict", {
    what: `"${typed}" fits several accounts.`,
    why: `It could be ${candidates.join(", ")}.`,
    fix: "Give the client id, or more of the name.",
  });
}

const MAX_CANDIDATES = 4;

function sameText(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** Checks a name or a label and returns it trimmed: it must not be empty and must fit on one line. */
export function oneLineText(text: string, what: string, maxCharacters: number): string {
  const kept = text.trim();
  if (kept === "") throw refused(what, "It is empty.");
  if (/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(kept))
    throw refused(what, "It holds line breaks or controls.");
  if (kept.length > maxCharacters) {
    throw refused(what, `It has ${kept.length} characters, at most ${maxCharacters} are kept.`);
  }
  return kept;
}

function refused(what: string, why: string): AppError {
  return new AppError("invalid_input", {
    what: `${what} was not taken.`,
    why,
    fix: "Give a short text on one line.",
  });
}
