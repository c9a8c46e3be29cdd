import { AppError } from "#platform";
import type { Db } from "#platform";
import { listReceipts } from "#rights";
import type { Erasure, Holdings } from "#rights";
import { Erased, EraseOrder, Erasures } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { LIST, parse, seenAccount, seenBy } from "./admin-request.ts";
import type { AdminRoute, Caller } from "./admin-request.ts";

/** An admin's, who sees all accounts. */
export const erase: AdminRoute<types.Erased> = {
  method: "POST",
  path: "/admin/v1/erasures",
  least: "admin",
  output: Erased,
  answer: async ({ db, rights, user, body }) => {
    const order = parse(EraseOrder, body);
    const whose = await whoseData(db, user, order);
    const holdings = await rights.lookUp(whose);
    if (holdings.length === 0) throw nothingKept(whose);
    if (order.dry_run) return { erased: false, accounts: holdings.map(toGo) };
    const askedBy = `operator:${user.actor}` as const;
    const erasures =
      "sessionId" in whose
        ? [await rights.eraseSession({ ...whose, askedBy })]
        : await rights.erasePerson({ ...whose, askedBy });
    return { erased: true, accounts: erasures.flatMap((one) => gone(one, holdings)) };
  },
};

type Whose = { sessionId: string } | { email: string; accountId?: number };

async function whoseData(db: Db, user: Caller, order: types.EraseOrder): Promise<Whose> {
  if ("session_id" in order) return { sessionId: order.session_id };
  const { email, account } = order;
  if (account === undefined) return { email };
  return { email, accountId: (await seenAccount(db, user, account)).id };
}

function toGo(held: Holdings): types.ErasedAccount {
  return {
    client_id: held.clientId,
    account_name: held.accountName,
    sessions: held.sessionIds.length,
    session_ids: held.sessionIds,
    going_on: held.goingOn,
    deliveries_pending: held.deliveriesPending,
    first_at: held.firstAt.toISOString(),
    last_at: held.lastAt.toISOString(),
  };
}

/** The receipt's own figures, over what the look before it found. */
function gone(erasure: Erasure, holdings: Holdings[]): types.ErasedAccount[] {
  const held = holdings.filter(({ accountId }) => accountId === erasure.accountId);
  return held.map((one) => ({
    ...toGo(one),
    receipt: erasure.id,
    sessions: erasure.sessions,
    session_ids: erasure.sessionIds,
    deliveries_pending: erasure.deliveriesCancelled,
  }));
}

function nothingKept(whose: Whose): AppError {
  return new AppError("not_found", {
    what:
      "sessionId" in whose
        ? `There is no session ${whose.sessionId}.`
        : "Nothing is kept of that address.",
    why: "It never was here, or has been erased. An address that was only spoken or typed into another field does not lead to a session.",
    fix: "Look for the session with `svc sessions list`, and erase it with --session.",
  });
}

const ErasuresQuery = z.strictObject(LIST);

export const listErasures: AdminRoute<types.Erasures> = {
  method: "GET",
  path: "/admin/v1/erasures",
  least: "viewer",
  output: Erasures,
  answer: async ({ db, user, query }) => {
    const { account, since, limit } = parse(ErasuresQuery, query);
    const found = await listReceipts(db, {
      ...(await seenBy(db, user, account)),
      ...(since !== undefined && { since: new Date(since) }),
      limit: limit + 1,
    });
    return {
      erasures: found.slice(0, limit).map((one) => ({
        receipt: one.id,
        at: one.at.toISOString(),
        ...(one.clientId !== null && { client_id: one.clientId }),
        ...(one.accountName !== null && { account_name: one.accountName }),
        scope: one.scope,
        asked_by: one.askedBy,
        sessions: one.sessions,
        deliveries_cancelled: one.deliveriesCancelled,
      })),
      more: found.length > limit,
    };
  },
};

export const ERASE_ROUTES: AdminRoute[] = [erase, listErasures];
