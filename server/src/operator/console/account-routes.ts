import { listAccounts, seesAccount } from "#accounts";
import { lastStarts } from "#sessions";
import { ConsoleAccounts } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import type { AdminRoute } from "./admin-request.ts";
import { toAccount } from "./to-console-me.ts";

export const listSeenAccounts: AdminRoute<types.ConsoleAccounts> = {
  method: "GET",
  path: "/admin/v1/accounts",
  least: "viewer",
  output: ConsoleAccounts,
  answer: async ({ db, user }) => {
    const seen = (await listAccounts(db)).filter(({ id }) => seesAccount(user, id));
    const starts = new Map((await lastStarts(db)).map(({ accountId, at }) => [accountId, at]));
    return {
      accounts: seen.map((account) => ({
        id: account.id,
        ...toAccount(account),
        export_mode: account.exportMode,
        working_tokens: account.workingTokens,
        created_at: account.createdAt.toISOString(),
        ...(starts.has(account.id) && {
          last_session_at: starts.get(account.id)!.toISOString(),
        }),
      })),
    };
  },
};

export const ACCOUNT_ROUTES: AdminRoute[] = [listSeenAccounts];
