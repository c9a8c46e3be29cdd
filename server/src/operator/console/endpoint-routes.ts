import { seesAccount } from "#accounts";
import { findAgent, listAgents } from "#agents";
import { AppError, createEgress, transact } from "#platform";
import type { Db, Trx } from "#platform";
import { exportHolds } from "#sessions";
import {
  activateSecret,
  addEndpoint,
  cancelStagedSecret,
  endpointHealth,
  examineReceiver,
  findEndpoint,
  listDeliveries,
  listEndpoints,
  openForTest,
  removeEndpoint,
  rotateSecretNow,
  setEndpointState,
  stageSecret,
} from "#webhooks";
import type { Endpoint } from "#webhooks";
import {
  AddedEndpoint,
  ConsoleEndpoints,
  EndpointChange,
  EndpointDetail,
  EndpointOrder,
  EndpointRemoval,
  ReceiverTest,
  ReceiverTestOrder,
  RemovalOrder,
  Rotation,
  RotationOrder,
} from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { toDeliveryRow } from "../pages/delivery-output.ts";
import { toEndpoints } from "../pages/endpoint-output.ts";
import { toEdge } from "../pages/export-edge.ts";
import { toReceiverTest } from "../pages/receiver-test-output.ts";
import { found, LIST, parse, seenAccount, seenAccounts, unknown } from "./admin-request.ts";
import type { AdminRoute, Caller } from "./admin-request.ts";

const EndpointsQuery = z.strictObject({ account: LIST.account });

export const listSeenEndpoints: AdminRoute<types.ConsoleEndpoints> = {
  method: "GET",
  path: "/admin/v1/endpoints",
  least: "viewer",
  output: ConsoleEndpoints,
  answer: async ({ db, user, query }) => {
    const seen = await seenAccounts(db, user, parse(EndpointsQuery, query).account);
    const listed = (await listEndpoints(db)).filter(({ accountId }) => seen.has(accountId));
    const [holds, endpoints] = await Promise.all([
      exportHolds(db, [...seen.keys()]),
      toEndpoints(db, listed, seen),
    ]);
    const edges = [...seen.values()].flatMap(({ id, clientId, name }): types.AccountEdge[] => {
      const hold = holds.get(id);
      return hold ? [{ ...toEdge(hold), client_id: clientId, account_name: name }] : [];
    });
    return { endpoints, edges };
  },
};

export const readEndpoint: AdminRoute<types.EndpointDetail> = {
  method: "GET",
  path: "/admin/v1/endpoints/:id",
  least: "viewer",
  output: EndpointDetail,
  answer: async ({ db, user, params }) => {
    const endpoint = await seenEndpoint(db, user, params["id"]!);
    const [described] = await toEndpoints(db, [endpoint], await seenAccounts(db, user));
    const deliveries = await listDeliveries(db, { endpointId: endpoint.id, limit: 10 });
    return { ...described!, deliveries: deliveries.map(toDeliveryRow) };
  },
};

export const addReceiver: AdminRoute<types.AddedEndpoint> = {
  method: "POST",
  path: "/admin/v1/endpoints",
  least: "operator",
  output: AddedEndpoint,
  answer: ({ db, user, desk, body }) => {
    const { account: named, url, agents: names = [], ...order } = parse(EndpointOrder, body);
    const { replay_exhausted: replayExhausted = false } = order;
    return transact(db, async (trx) => {
      const account = await seenAccount(trx, user, named);
      const agents: { id: string; slug: string }[] = [];
      for (const name of names) {
        const { id, slug } = await findAgent(trx, name, account.id);
        agents.push({ id, slug });
      }
      const added = await addEndpoint(trx, user.actor, desk.cell(), desk.secrets(), {
        accountId: account.id,
        url,
        agentIds: agents.length === 0 ? null : agents.map(({ id }) => id),
        replayExhausted,
        rules: desk.receivers(),
      });
      return {
        id: added.id,
        url: added.url,
        client_id: account.clientId,
        account_name: account.name,
        ...(agents.length > 0 && { agents }),
        replay_exhausted: replayExhausted,
        secret: added.secret,
      };
    });
  },
};

/** Deliveries to a paused receiver wait; nothing is lost. */
export const pauseReceiver: AdminRoute<types.EndpointChange> = stateRoute("pause", "paused");
export const resumeReceiver: AdminRoute<types.EndpointChange> = stateRoute("resume", "live");

function stateRoute(verb: string, state: "live" | "paused"): AdminRoute<types.EndpointChange> {
  return {
    method: "POST",
    path: `/admin/v1/endpoints/:id/${verb}`,
    least: "operator",
    output: EndpointChange,
    answer: async ({ db, user, params }) => {
      const { id, url } = await seenEndpoint(db, user, params["id"]!);
      const { changed } = await transact(db, (trx) => setEndpointState(trx, user.actor, id, state));
      const [health] = await endpointHealth(db, [id]);
      return { id, url, state, changed, waiting: health!.waiting };
    },
  };
}

export const removeReceiver: AdminRoute<types.EndpointRemoval> = {
  method: "POST",
  path: "/admin/v1/endpoints/:id/remove",
  least: "operator",
  output: EndpointRemoval,
  answer: async ({ db, user, params, body }) => {
    const { cancel_waiting: isAccepted = false } = parse(RemovalOrder, body ?? {});
    const { id } = await seenEndpoint(db, user, params["id"]!);
    const cancelled = await transact(db, async (trx) => {
      const removed = await removeEndpoint(trx, user.actor, id);
      // Thrown inside the transaction: it takes the removal back.
      if (removed.cancelled > 0 && !isAccepted) throw deliveriesWait(id, removed.cancelled);
      return removed.cancelled;
    });
    return { id, cancelled };
  },
};

function deliveriesWait(id: string, count: number): AppError {
  return new AppError("conflict", {
    what:
      count === 1
        ? `1 delivery to ${id} is not finished.`
        : `${count.toLocaleString("en")} deliveries to ${id} are not finished.`,
    why: "What is removed is sent nothing more, and what was cancelled cannot be sent again.",
    fix: `Run \`svc webhooks remove ${id} --yes\` to cancel, or \`svc webhooks pause ${id}\` to hold back.`,
  });
}

export const rotateSecret: AdminRoute<types.Rotation> = {
  method: "POST",
  path: "/admin/v1/endpoints/:id/rotate",
  least: "operator",
  output: Rotation,
  answer: async ({ db, user, desk, params, body }) => {
    const { actor } = user;
    const { step } = parse(RotationOrder, body);
    const { id } = await seenEndpoint(db, user, params["id"]!);
    return transact(db, async (trx): Promise<types.Rotation> => {
      switch (step) {
        case "stage": {
          const { secret } = await stageSecret(trx, actor, desk.secrets(), id);
          return { id, change: "staged", secret };
        }
        case "activate": {
          const { previousUntil } = await activateSecret(trx, actor, desk.secrets(), id);
          return { id, change: "activated", ...overlap(previousUntil) };
        }
        case "cancel":
          await cancelStagedSecret(trx, actor, id);
          return { id, change: "cancelled" };
        case "now": {
          const made = await rotateSecretNow(trx, actor, desk.secrets(), id);
          const { secret, previousUntil } = made;
          return { id, change: "replaced", secret, ...overlap(previousUntil) };
        }
      }
    });
  },
};

function overlap(until: Date | null): { previous_until?: string } {
  return until === null ? {} : { previous_until: until.toISOString() };
}

/** Sends a made-up session in several ways. */
export const testReceiver: AdminRoute<types.ReceiverTest> = {
  method: "POST",
  path: "/admin/v1/endpoints/:id/test",
  least: "operator",
  output: ReceiverTest,
  answer: async ({ db, user, desk, params, body }) => {
    const { staged: asActivated = false } = parse(ReceiverTestOrder, body ?? {});
    const { id, accountId, agentIds } = await seenEndpoint(db, user, params["id"]!);
    const { url, secrets } = await transact(db, (trx) =>
      openForTest(trx, user.actor, desk.secrets(), id, asActivated),
    );
    const agentId = agentIds?.[0] ?? (await listAgents(db, accountId))[0]?.id;
    const egress = createEgress(desk.receivers());
    const receiver = { url, secrets, agentId };
    return toReceiverTest(url, await examineReceiver(receiver, { egress, clock: desk.clock }));
  },
};

export async function seenEndpoint(db: Db | Trx, user: Caller, id: string): Promise<Endpoint> {
  const endpoint = await found(user, findEndpoint(db, id), "endpoint", id);
  if (!seesAccount(user, endpoint.accountId)) throw unknown("endpoint", id);
  return endpoint;
}

export const ENDPOINT_ROUTES: AdminRoute[] = [
  listSeenEndpoints,
  readEndpoint,
  addReceiver,
  pauseReceiver,
  resumeReceiver,
  removeReceiver,
  rotateSecret,
  testReceiver,
];
