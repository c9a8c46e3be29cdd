import { findAccount } from "#accounts";
import { findAgent } from "#agents";
import type { Db } from "#platform";
import { optional } from "../command.ts";
import type { Input, Option } from "../command.ts";

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
    ...(agent !== undefined && { agentId: (await findAgent(db, agent, accountId)).id }),
  };
}

/** The options that it reads. */
export const WHOSE: Option[] = [
  { flags: "--account <account>", summary: "only of this account" },
  { flags: "--agent <agent>", summary: "only of this agent (id or slug)" },
];
