import { resolve } from "node:path";
import { findAccount } from "#accounts";
import { findAgent } from "#agents";
import { AppError } from "#platform";
import type { Db } from "#platform";
import { normalizeEmail } from "#sessions";
import { given, optional } from "../command.ts";
import type { Input, Option } from "../command.ts";

/** A whole number that was typed. Undefined stays undefined. */
export function parseNumber(
  text: string | undefined,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (number >= range.min && number <= range.max) return number;
  throw new AppError("invalid_input", {
    what: `"${text}" is no ${name}.`,
    why: `It is a whole number from ${range.min} to ${range.max}.`,
    fix: "Give one, in digits.",
  });
}

/** The range of `--limit`, the maximum number of rows in a list. */
export const ROWS = { min: 1, max: 1_000 } as const;

/** A delivery's number that was typed. */
export function parseDeliveryId(text: string): string {
  const range = { min: 1, max: Number.MAX_SAFE_INTEGER };
  return String(parseNumber(text, "delivery number", range)!);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A session's id that was typed. Undefined stays undefined. */
export function parseSessionId(text: string | undefined): string | undefined {
  if (text === undefined || UUID.test(text.trim())) return text?.trim().toLowerCase();
  throw new AppError("invalid_input", {
    what: `"${text}" is no session id.`,
    why: "It looks like 01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f.",
    fix: "Run `svc sessions list` to see the newest.",
  });
}

/** A mail address that was typed, as sessions keep it. The message does not repeat it: it may end in a log. */
export function parseAddress(typed: string): string {
  const address = normalizeEmail(typed);
  if (address !== undefined) return address;
  throw new AppError("invalid_input", {
    what: "That is no mail address.",
    why: "One looks like ada@example.com.",
    fix: "Write the whole address, without a name or brackets around it.",
  });
}

/** Whose sessions `--account` and `--agent` mean. */
export async function whoseSessions(
  db: Db,
  input: Input,
): Promise<{ accountId?: number; agentId?: string }> {
  const account = optional(input, "account");
  const agent = optional(input, "agent");
  const accountId = account === undefined ? undefined : (await findAccount(db, account)).id;
  return {
    ...(accountId !== undefined && { accountId }),
    ...(agent !== undefined && {
      agentId: (await findAgent(db, agent, accountId, { removed: true })).id,
    }),
  };
}

/** The options that it reads. */
export const WHOSE: Option[] = [
  { flags: "--account <account>", summary: "only of this account" },
  { flags: "--agent <agent>", summary: "only of this agent (id or slug)" },
];

/** The folder that was named: where it is, and as it was typed, without a slash at its end. */
export function folderOf(
  { directory }: { directory: string },
  input: Input,
  named: string = given(input, "dir"),
): [at: string, typed: string] {
  const typed = named.replace(/(?<=.)\/+$/, "");
  return [resolve(directory, typed), typed];
}
