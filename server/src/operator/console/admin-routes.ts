import { ACCOUNT_ROUTES } from "./account-routes.ts";
import type { AdminRoute } from "./admin-request.ts";
import { AGENT_ROUTES } from "./agent-routes.ts";
import { DELIVERY_ROUTES } from "./delivery-routes.ts";
import { ENDPOINT_ROUTES } from "./endpoint-routes.ts";
import { ERASE_ROUTES } from "./erase-routes.ts";
import { ME_ROUTES } from "./me-routes.ts";
import { OVERVIEW_ROUTES } from "./overview-routes.ts";
import { SESSION_ROUTES } from "./session-routes.ts";
import { TOKEN_ROUTES } from "./token-routes.ts";

/**
 * Every route of the admin API with the least role that may call it. The server registers these and no
 * others, and the test of who gets in reads this table.
 */
export const ADMIN_ROUTES: AdminRoute[] = [
  ...ME_ROUTES,
  ...ACCOUNT_ROUTES,
  ...TOKEN_ROUTES,
  ...AGENT_ROUTES,
  ...OVERVIEW_ROUTES,
  ...SESSION_ROUTES,
  ...ENDPOINT_ROUTES,
  ...DELIVERY_ROUTES,
  ...ERASE_ROUTES,
];
