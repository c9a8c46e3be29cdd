import { seesAccount } from "#accounts";
import { AppError } from "#platform";
import type { Db } from "#platform";
import { DELIVERY_STATES, listDeliveries, replayDeliveries, tellDelivery } from "#webhooks";
import type { DeliveryStory, ReplayChoice } from "#webhooks";
import { DeliveryDetail, DeliveryRows, ReplayOrder, ReplayReceipt } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { toDeliveryDetail, toDeliveryRow, toReplayReceipt } from "../pages/delivery-output.ts";
import { found, LIST, parse, seenAccount, seenBy, unknown } from "./admin-request.ts";
import type { AdminRequest, AdminRoute, Caller } from "./admin-request.ts";
import { seenEndpoint } from "./endpoint-routes.ts";
import { seenSession } from "./session-routes.ts";

const DeliveriesQuery = z.strictObject({
  ...LIST,
  session: z.uuid().optional(),
  endpoint: z.string().max(100).optional(),
  state: z.enum(DELIVERY_STATES).optional(),
});

export const listSeenDeliveries: AdminRoute<types.DeliveryRows> = {
  method: "GET",
  path: "/admin/v1/deliveries",
  least: "viewer",
  output: DeliveryRows,
  answer: async ({ db, user, query }) => {
    const { account, since, limit, session: id, endpoint, state } = parse(DeliveriesQuery, query);
    const listed = await listDeliveries(db, {
      ...(await seenBy(db, user, account)),
      ...(id !== undefined && { sessionId: id }),
      ...(endpoint !== undefined && { endpointId: (await seenEndpoint(db, user, endpoint)).id }),
      ...(state !== undefined && { state }),
      ...(since !== undefined && { since: new Date(since) }),
      limit: limit + 1,
    });
    return { deliveries: listed.slice(0, limit).map(toDeliveryRow), more: listed.length > limit };
  },
};

/** Without the body, which holds the transcript: the session's own page shows that, and records who looked. */
export const readDelivery: AdminRoute<types.DeliveryDetail> = {
  method: "GET",
  path: "/admin/v1/deliveries/:id",
  least: "viewer",
  output: DeliveryDetail,
  answer: async ({ db, user, params }) =>
    toDeliveryDetail(await seenDelivery(db, user, params["id"]!), false),
};

const DELIVERY_ID = /^[1-9]\d{0,14}$/;

async function seenDelivery(db: Db, user: Caller, id: string): Promise<DeliveryStory> {
  if (!DELIVERY_ID.test(id)) throw unknown("delivery", id);
  const story = await found(user, tellDelivery(db, id), "delivery", id);
  if (!seesAccount(user, story.clientId)) throw unknown("delivery", id);
  return story;
}

export const replay: AdminRoute<types.ReplayReceipt> = {
  method: "POST",
  path: "/admin/v1/deliveries/replay",
  least: "operator",
  output: ReplayReceipt,
  answer: async (request) => {
    const { db, user, desk } = request;
    const order = parse(ReplayOrder, request.body);
    const dryRun = order.dry_run ?? false;
    const replayed = await replayDeliveries(db, user.actor, await choiceOf(request, order), {
      dryRun,
      onProgress: (count) => desk.progress(count, undefined, "deliveries"),
    });
    desk.progress(replayed.deliveries.length, replayed.deliveries.length, "deliveries");
    return toReplayReceipt(replayed, dryRun);
  },
};

async function choiceOf(
  { db, user, desk }: AdminRequest,
  order: types.ReplayOrder,
): Promise<ReplayChoice> {
  if ("ids" in order) {
    const ids = [...new Set(order.ids.map(String))];
    for (const id of ids) await seenDelivery(db, user, id);
    return { ids };
  }
  if ("session_id" in order) {
    const { session } = await seenSession(db, user, order.session_id);
    return { sessionId: session.id };
  }
  const receivers =
    "account" in order
      ? { accountId: (await seenAccount(db, user, order.account)).id }
      : { endpointId: await endpointToReplay(db, user, order.endpoint_id) };
  return "failed_since" in order
    ? { ...receivers, failedSince: new Date(order.failed_since) }
    : { ...receivers, from: new Date(order.from), to: new Date(order.to ?? desk.clock.nowMs()) };
}

async function endpointToReplay(db: Db, user: Caller, named: string): Promise<string> {
  const { id, state } = await seenEndpoint(db, user, named);
  if (state !== "removed") return id;
  throw new AppError("conflict", {
    what: `Nothing can be sent to ${id}.`,
    why: "The endpoint has been removed.",
    fix: "Add the receiver again with `svc webhooks add`.",
  });
}

export const DELIVERY_ROUTES: AdminRoute[] = [listSeenDeliveries, readDelivery, replay];
