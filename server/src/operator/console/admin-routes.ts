import { listAccounts } from "#accounts";
import type { ConsoleUser } from "#accounts";
import { listAgents } from "#agents";
import type {
  ConsoleAccount,
  ConsoleAccounts,
  ConsoleAgents,
  ConsoleMe,
} from "@svc/contract/types";
import type { AdminRequest, AdminRoute } from "./admin-request.ts";
import { DELIVERY_ROUTES } from "./delivery-routes.ts";
import { OVERVIEW_ROUTES } from "./overview-routes.ts";
import { SESSION_ROUTES } from "./session-routes.ts";

/**
 * Every route of the admin API with the least role that may call it. The server registers these and no
 * others, and the test of who gets in reads this table.
 */
export const ADMIN_ROUTES: AdminRoute[] = [
  { method: "GET", path: "/admin/v1/me", least: "viewer", answer: me },
  { method: "GET", path: "/admin/v1/accounts", least: "viewer", answer: accounts },
  { method: "GET", path: "/admin/v1/agents", least: "viewer", answer: agents },
  ...OVERVIEW_ROUTES,
  ...SESSION_ROUTES,
  ...DELIVERY_ROUTES,
];

async function me({ user }: AdminRequest): Promise<ConsoleMe> {
  return toConsoleMe(user);
}

export function toConsoleMe({
  name,
  role,
  accounts: some,
}: Pick<ConsoleUser, "name" | "role"> & {
  accounts: { clientId: string; name: string }[] | undefined;
}): ConsoleMe {
  return { name, role, ...(some !== undefined && { accounts: some.map(toAccount) }) };
}

async function accounts({ db, user }: AdminRequest): Promise<ConsoleAccounts> {
  return { accounts: (user.accounts ?? (await listAccounts(db))).map(toAccount) };
}

function toAccount({ clientId, name }: { clientId: string; name: string }): ConsoleAccount {
  return { client_id: clientId, name };
}

async function agents({ db, user }: AdminRequest): Promise<ConsoleAgents> {
  const seen = new Map((user.accounts ?? (await listAccounts(db))).map((one) => [one.id, one]));
  const listed = await listAgents(db);
  return {
    agents: listed.flatMap(({ accountId, ...agent }) => {
      const account = seen.get(accountId);
      if (account === undefined) return [];
      return {
        id: agent.id,
        slug: agent.slug,
        name: agent.config.name,
        client_id: account.clientId,
        account_name: account.name,
        state: agent.state,
        version: agent.version,
        version_at: agent.versionAt.toISOString(),
        languages: agent.config.languages.map(({ code }) => code),
      };
    }),
  };
}
