import type { ConsoleUser } from "#accounts";
import { ConsoleAccounts, ConsoleMe } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { seenAccounts } from "./admin-request.ts";
import type { AdminRoute } from "./admin-request.ts";
import { AGENT_ROUTES } from "./agent-routes.ts";
import { DELIVERY_ROUTES } from "./delivery-routes.ts";
import { ENDPOINT_ROUTES } from "./endpoint-routes.ts";
import { ERASE_ROUTES } from "./erase-routes.ts";
import { OVERVIEW_ROUTES } from "./overview-routes.ts";
import { SESSION_ROUTES } from "./session-routes.ts";
import { TOKEN_ROUTES } from "./token-routes.ts";

const readMe: AdminRoute<types.ConsoleMe> = {
  method: "GET",
  path: "/admin/v1/me",
  least: "viewer",
  output: ConsoleMe,
  answer: async ({ user }) => toConsoleMe(user),
};

const listSeenAccounts: AdminRoute<types.ConsoleAccounts> = {
  method: "GET",
  path: "/admin/v1/accounts",
  least: "viewer",
  output: ConsoleAccounts,
  answer: async ({ db, user }) => ({
    accounts: [...(await seenAccounts(db, user)).values()].map(toAccount),
  }),
};

/**
 * Every route of the admin API with the least role that may call it. The server registers these and no
 * others, and the test of who gets in reads this table.
 */
export const ADMIN_ROUTES: AdminRoute[] = [
  readMe,
  listSeenAccounts,
  ...TOKEN_ROUTES,
  ...AGENT_ROUTES,
  ...OVERVIEW_ROUTES,
  ...SESSION_ROUTES,
  ...ENDPOINT_ROUTES,
  ...DELIVERY_ROUTES,
  ...ERASE_ROUTES,
];

export function toConsoleMe({
  name,
  role,
  accounts: some,
}: Pick<ConsoleUser, "name" | "role"> & {
  accounts: { clientId: string; name: string }[] | undefined;
}): types.ConsoleMe {
  return { name, role, ...(some !== undefined && { accounts: some.map(toAccount) }) };
}

function toAccount({ clientId, name }: { clientId: string; name: string }): types.ConsoleAccount {
  return { client_id: clientId, name };
}
