import { listAccounts } from "#accounts";
import type { ConsoleRole, ConsoleUser } from "#accounts";
import { AppError } from "#platform";
import type { Db, JobSender } from "#platform";
import type { Rights } from "#rights";
import * as z from "zod";

/** The dependencies of the admin API. */
export interface AdminParts {
  db: Db;
  jobs: JobSender;
  rights: Rights;
}

/** A request of somebody who is signed in and whose role allows it. */
export interface AdminRequest extends AdminParts {
  user: ConsoleUser;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

/** One route of the admin API: what it answers, and the least role that may ask. */
export interface AdminRoute {
  method: "GET" | "POST";
  path: string;
  least: ConsoleRole;
  /** An object is sent as JSON. */
  answer(request: AdminRequest): Promise<object | Download>;
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
  limit: z.coerce.number().int().min(1).max(200).default(50),
};

/** The accounts that a list is about: those that the person sees, or the one of them that was asked for. */
export async function seenBy(
  db: Db,
  { accounts: some }: ConsoleUser,
  clientId: string | undefined,
): Promise<{ accountIds?: number[] }> {
  if (some === undefined && clientId === undefined) return {};
  const seen = some ?? (await listAccounts(db));
  const asked = seen.filter((one) => clientId === undefined || one.clientId === clientId);
  return { accountIds: asked.map(({ id }) => id) };
}

/** What a look-up finds; where it finds nothing, in the words for everything that is not seen. */
export async function found<T>(lookup: Promise<T>, what: string, id: string): Promise<T> {
  return lookup.catch((error: unknown) => {
    throw error instanceof AppError && error.code === "not_found" ? unknown(what, id) : error;
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
