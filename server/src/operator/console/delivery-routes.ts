import { actorOf, listAccounts, seesAccount } from "#accounts";
import type { ConsoleUser } from "#accounts";
import type { Db } from "#platform";
import { exportHold } from "#sessions";
import {
  DELIVERY_STATES,
  endpointHealth,
  findEndpoint,
  listDeliveries,
  listEndpoints,
  replayDeliveries,
  tellDelivery,
} from "#webhooks";
import type { DeliveryStory } from "#webhooks";
import { ReplayOrder } from "@svc/contract/schemas";
import type {
  AccountEdge,
  ConsoleEndpoints,
  DeliveryDetail,
  DeliveryRows,
  ReplayReceipt,
} from "@svc/contract/types";
import * as z from "zod";
import { toDeliveryDetail, toDeliveryRow, toReplayReceipt } from "../pages/delivery-output.ts";
import { toHealth } from "../pages/endpoint-page.ts";
import { toEdge } from "../pages/export-edge.ts";
import { found, LIST, parse, seenBy, unknown } from "./admin-request.ts";
import type { AdminRequest, AdminRoute } from "./admin-request.ts";

export const DELIVERY_ROUTES: AdminRoute[] = [
  { method: "GET", path: "/admin/v1/endpoints", least: "viewer", answer: endpoints },
  { method: "GET", path: "/admin/v1/deliveries", least: "viewer", answer: deliveries },
  { method: "GET", path: "/admin/v1/deliveries/:id", least: "viewer", answer: delivery },
  { method: "POST", path: "/admin/v1/deliveries/replay", least: "operator", answer: replay },
];

/** Each account's edge is a query of its own: whoever sees more accounts asks for one. */
const EDGES_OF_AT_MOST = 50;
const EndpointsQuery = z.strictObject({ account: LIST.account });

async function endpoints({ db, user, query }: AdminRequest): Promise<ConsoleEndpoints> {
  const { account } = parse(EndpointsQuery, query);
  const all = user.accounts ?? (await listAccounts(db));
  const seen = all.filter(({ clientId }) => account === undefined || clientId === account);
  const byId = new Map(seen.map((one) => [one.id, one]));
  const listed = (await listEndpoints(db)).filter(({ accountId }) => byId.has(accountId));
  const ids = listed.map(({ id }) => id);
  const health = new Map((await endpointHealth(db, ids)).map((one) => [one.endpointId, one]));
  const edges: AccountEdge[] = [];
  for (const { id, clientId, name } of seen.slice(0, EDGES_OF_AT_MOST)) {
    const hold = await exportHold(db, id);
    if (hold) edges.push({ ...toEdge(hold), client_id: clientId, account_name: name });
  }
  return {
    endpoints: listed.map((one) => ({
      id: one.id,
      url: one.url,
      client_id: byId.get(one.accountId)!.clientId,
      account_name: byId.get(one.accountId)!.name,
      state: one.state,
      added_at: one.createdAt.toISOString(),
      ...(one.stagedAt !== null && { secret_staged_at: one.stagedAt.toISOString() }),
      health: toHealth(health.get(one.id)!),
    })),
    edges,
  };
}

const DeliveriesQuery = z.strictObject({
  ...LIST,
  session: z.uuid().optional(),
  endpoint: z.string().max(100).optional(),
  state: z.enum(DELIVERY_STATES).optional(),
});

async function deliveries({ db, user, query }: AdminRequest): Promise<DeliveryRows> {
  const { account, since, limit, session: id, endpoint, state } = parse(DeliveriesQuery, query);
  const listed = await listDeliveries(db, {
    ...(await seenBy(db, user, account)),
    ...(id !== undefined && { sessionId: id }),
    ...(endpoint !== undefined && { endpointId: endpoint }),
    ...(state !== undefined && { state }),
    ...(since !== undefined && { since: new Date(since) }),
    limit: limit + 1,
  });
  return { deliveries: listed.slice(0, limit).map(toDeliveryRow), more: listed.length > limit };
}

/** Without the body, which holds the transcript: the session's own page shows that, and records who looked. */
async function delivery({ db, user, params }: AdminRequest): Promise<DeliveryDetail> {
  return toDeliveryDetail(await seenDelivery(db, user, params["id"] ?? ""), false);
}

const DELIVERY_ID = /^[1-9]\d{0,14}$/;

async function seenDelivery(db: Db, user: ConsoleUser, id: string): Promise<DeliveryStory> {
  if (!DELIVERY_ID.test(id)) throw unknown("delivery", id);
  const story = await found(tellDelivery(db, id), "delivery", id);
  if (!seesAccount(user, story.clientId)) throw unknown("delivery", id);
  return story;
}

async function replay({ db, user, body }: AdminRequest): Promise<ReplayReceipt> {
  const order = parse(ReplayOrder, body);
  if ("ids" in order) {
    const ids = [...new Set(order.ids.map(String))];
    for (const id of ids) await seenDelivery(db, user, id);
    return toReplayReceipt(await replayDeliveries(db, actorOf(user), { ids }), false);
  }
  const { endpoint_id: id } = order;
  const endpoint = await found(findEndpoint(db, id), "endpoint", id);
  if (!seesAccount(user, endpoint.accountId)) throw unknown("endpoint", endpoint.id);
  const choice = { endpointId: endpoint.id, failedSince: new Date(order.failed_since) };
  return toReplayReceipt(await replayDeliveries(db, actorOf(user), choice), false);
}
