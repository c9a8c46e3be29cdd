import { createLog } from "#platform";
import { createRights } from "#rights";
import type { AdminRoute } from "./console/admin-request.ts";
import type { Operator } from "./operator.ts";

/** What a verb is asked, as its route takes it. */
export interface Asked {
  params?: Record<string, string>;
  /** What is undefined is left out. */
  query?: Record<string, string | undefined>;
  body?: object;
}

/** Asks a verb right here, with the rights of whoever has the database's login. */
export async function ask<Answer extends object>(
  operator: Operator,
  { answer }: AdminRoute<Answer>,
  { params = {}, query = {}, body }: Asked = {},
): Promise<Answer> {
  const db = operator.db();
  const { actor } = operator;
  return answer({
    db,
    jobs: operator.jobs(),
    rights: createRights({ db, log: createLog("silent") }),
    desk: operator,
    user: { name: actor, role: "admin", accounts: undefined, actor },
    params,
    query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
    body,
  });
}
