import { findAccount, listAccounts } from "#accounts";
import type { ConsoleRole, ConsoleUser } from "#accounts";
import { AppError } from "#platform";
import type { Db, JobSender, Trx } from "#platform";
import type { Rights } from "#rights";
import * as z from "zod";
import type { Operator } from "../operator.ts";

/** The dependencies of the admin API. */
export interface AdminParts {
  db: Db;
  jobs: JobSender;
  rights: Rights;
  /** Read when first used: only receivers need secrets. */
  desk: Pick<Operator, "cell" | "publicUrl" | "secrets" | "receivers" | "clock" | "progress">;
}

/** Who asks: somebody who is signed in to the console, or who is at the command line. */
export interface Caller extends Pick<ConsoleUser, "name" | "role" | "accounts"> {
  /** Absent at the command line. */
  id?: number;
  /** As the audit stores them. */
  actor: string;
}

/** A request of somebody whose role allows it. */
export interface AdminRequest extends AdminParts {
  user: Caller;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

/**
 * One verb of the operator, which is one route of the admin API: what it answers, and the least role
 * that may ask. The command line asks the same verbs, by way of a server or by itself.
 */
export interface AdminRoute<Answer extends object = object> {
  method: "GET" | "POST";
  path: string;
  least: ConsoleRole;
  /** Only for who is signed in with a browser, not with a token. */
  pagesOnly?: true;
  /** What is answered, as it is documented; absent for a file. */
  output?: z.ZodType<Answer>;
  answer(request: AdminRequest): Promise<Answer>;
}

/** A file that browsers save. */
export class Download {
  readonly name: string;
  readonly type: string;
  readonly text: string;

  constructor(name: string, type: string, text: string) {
    this.name = name;
    this.type = type;
    this.text = text;
  }
}

/** What every list can be asked for. */
export const LIST: {
  account: z.ZodOptional<z.ZodString>;
  since: z.ZodOptional<z.ZodISODateTime>;
  limit: z.ZodDefault<z.ZodCoercedNumber>;
} = {
  account: z.string().max(100).optional(),
  since: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
};

/** The accounts that a list is about: those that the person sees, or the one of them that was asked for. */
export async function seenBy(
  db: Db,
  user: Caller,
  account: string | undefined,
): Promise<{ accountIds?: number[] }> {
  if (account !== undefined) return { accountIds: [(await seenAccount(db, user, account)).id] };
  return user.accounts === undefined ? {} : { accountIds: user.accounts.map(({ id }) => id) };
}

/** The accounts that they see, by number; only the one that was asked for, if any. */
export async function seenAccounts(
  db: Db,
  user: Caller,
  account?: string,
): Promise<Map<number, SeenAccount>> {
  const seen =
    account === undefined
      ? (user.accounts ?? (await listAccounts(db)))
      : [await seenAccount(db, user, account)];
  return new Map(seen.map((one) => [one.id, one]));
}

export interface SeenAccount {
  id: number;
  clientId: string;
  name: string;
}

/** An account by what was typed. Somebody who sees some learns nothing of the others, not even that a name fits several. */
export async function seenAccount(
  db: Db | Trx,
  { accounts }: Caller,
  text: string,
): Promise<SeenAccount> {
  if (accounts === undefined) return findAccount(db, text);
  const typed = text.trim().toLowerCase();
  const seen = accounts.find(
    ({ clientId, name }) => clientId === typed || name.toLowerCase() === typed,
  );
  if (seen === undefined) throw unknown("account", text);
  return seen;
}

/** What a look-up finds. Somebody who sees some accounts is told the same of what does not exist and of what is not theirs. */
export async function found<T>(
  { accounts }: Caller,
  lookup: Promise<T>,
  what: string,
  id: string,
): Promise<T> {
  return lookup.catch((error: unknown) => {
    const isMissing = error instanceof AppError && error.code === "not_found";
    throw isMissing && accounts !== undefined ? unknown(what, id) : error;
  });
}

/** The same words for what never was, what is erased and what belongs to an account that they do not see. */
export function unknown(what: string, id: string): AppError {
  return new AppError("not_found", {
    what: `There is no ${what} ${id.slice(0, 60)}.`,
    why: "It never existed, it has been erased, or you do not see its account.",
    fix: "Open it from its list.",
  });
}

/** The number of a token in a path. */
export function tokenNumber(params: Record<string, string>): number {
  const typed = params["id"]!;
  if (!/^[1-9]\d{0,8}$/.test(typed)) throw unknown("token", typed);
  return Number(typed);
}

export function parse<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || (issue?.code === "unrecognized_keys" ? issue.keys[0] : "");
  throw new AppError("invalid_input", {
    what: "The request is not as documented.",
    why: where
      ? `"${where.slice(0, 40)}" is not known or not valid here.`
      : "Its body is not valid.",
    fix: "Compare it with contract/admin-openapi.json.",
  });
}
