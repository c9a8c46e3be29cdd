import { actorOf, audit, listAccounts, seesAccount } from "#accounts";
import type { ConsoleRole, ConsoleUser } from "#accounts";
import { orderEvaluation } from "#evaluation";
import { followUpOf } from "#followup";
import { AppError, transact } from "#platform";
import type { Db, JobSender } from "#platform";
import type { Rights } from "#rights";
import { listSessions, tellSession } from "#sessions";
import type { SessionStory } from "#sessions";
import {
  DELIVERY_STATES,
  findEndpoint,
  listDeliveries,
  replayDeliveries,
  tellDelivery,
} from "#webhooks";
import type { DeliveryStory } from "#webhooks";
import { ReplayOrder } from "@svc/contract/schemas";
import type {
  ConsoleAccount,
  ConsoleAccounts,
  ConsoleMe,
  DeliveryDetail,
  DeliveryRows,
  ErasureReceipt,
  EvaluationReceipt,
  ReplayReceipt,
  SessionRows,
  Story,
} from "@svc/contract/types";
import * as z from "zod";
import { toDeliveryDetail, toDeliveryRow, toReplayReceipt } from "../pages/delivery-output.ts";
import { toSessionRow, toStory } from "../pages/story-output.ts";

/** The dependencies of the admin API. */
export interface AdminParts {
  db: Db;
  jobs: JobSender;
  rights: Rights;
}

/** A request of somebody who is signed in and whose role allows it. */
export interface AdminRequest extends AdminParts {
  user: ConsoleUser;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

/** One route of the admin API: what it answers, and the least role that may ask. */
export interface AdminRoute {
  method: "GET" | "POST";
  path: string;
  least: ConsoleRole;
  answer(request: AdminRequest): Promise<object>;
}

/**
 * Every route of the admin API with the least role that may call it. This is the only place that says
 * so: the server registers these and no others, and the test of who gets in reads this table.
 */
export const ADMIN_ROUTES: AdminRoute[] = [
  { method: "GET", path: "/admin/v1/me", least: "viewer", answer: me },
  { method: "GET", path: "/admin/v1/accounts", least: "viewer", answer: accounts },
  { method: "GET", path: "/admin/v1/sessions", least: "viewer", answer: sessions },
  { method: "GET", path: "/admin/v1/sessions/:id", least: "viewer", answer: session },
  { method: "POST", path: "/admin/v1/sessions/:id/evaluate", least: "operator", answer: evaluate },
  { method: "POST", path: "/admin/v1/sessions/:id/erase", least: "admin", answer: erase },
  { method: "GET", path: "/admin/v1/deliveries", least: "viewer", answer: deliveries },
  { method: "GET", path: "/admin/v1/deliveries/:id", least: "viewer", answer: delivery },
  { method: "POST", path: "/admin/v1/deliveries/replay", least: "operator", answer: replay },
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

const LIST = {
  account: z.string().max(100).optional(),
  since: z.iso.datetime().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};
const SessionsQuery = z.strictObject({
  ...LIST,
  status: z.enum(["active", "abandoned", "processed", "error"]).optional(),
  test: z.enum(["true", "false"]).default("false"),
});

async function sessions({ db, user, query }: AdminRequest): Promise<SessionRows> {
  const { account, since, limit, status, test } = parse(SessionsQuery, query);
  const listed = await listSessions(db, {
    ...(await seenBy(db, user, account)),
    ...(status !== undefined && { status }),
    ...(since !== undefined && { since: new Date(since) }),
    test: test === "true",
    limit: limit + 1,
  });
  return { sessions: listed.slice(0, limit).map(toSessionRow), more: listed.length > limit };
}

/** The accounts that a list is about: those that the person sees, or the one of them that was asked for. */
async function seenBy(
  db: Db,
  { accounts: some }: ConsoleUser,
  clientId: string | undefined,
): Promise<{ accountIds?: number[] }> {
  if (some === undefined && clientId === undefined) return {};
  const seen = some ?? (await listAccounts(db));
  const asked = seen.filter((one) => clientId === undefined || one.clientId === clientId);
  return { accountIds: asked.map(({ id }) => id) };
}

/** Everything of a session, what was said included: that it was read is written down first. */
async function session(request: AdminRequest): Promise<Story> {
  const { db, user } = request;
  const story = await seenSession(request);
  const { id, accountId } = story.session;
  await transact(db, (trx) =>
    audit(trx, { actor: actorOf(user), action: "session.read", accountId, subject: id }),
  );
  return toStory(story, await followUpOf(db, id));
}

/** Of an account that the person does not see it answers as if the session did not exist. */
async function seenSession({ db, user, params }: AdminRequest): Promise<SessionStory> {
  const id = params["id"] ?? "";
  const story = await found(tellSession(db, id), "session", id);
  if (!seesAccount(user, story.session.accountId)) throw unknown("session", id);
  return story;
}

async function evaluate(request: AdminRequest): Promise<EvaluationReceipt> {
  const { db, jobs, user } = request;
  const { session: seen } = await seenSession(request);
  const asked = await orderEvaluation(db, jobs, actorOf(user), seen);
  return { session_id: seen.id, request: asked };
}

async function erase(request: AdminRequest): Promise<ErasureReceipt> {
  const { rights, user } = request;
  const { id: sessionId } = (await seenSession(request)).session;
  const askedBy = `operator:${actorOf(user)}` as const;
  const { id, sessions: erased } = await rights.eraseSession({ sessionId, askedBy });
  return { receipt: id, sessions: erased };
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

async function found<T>(lookup: Promise<T>, what: string, id: string): Promise<T> {
  return lookup.catch((error: unknown) => {
    throw error instanceof AppError && error.code === "not_found" ? unknown(what, id) : error;
  });
}

/** The same words for what never was, what is erased and what belongs to an account that they do not see. */
function unknown(what: string, id: string): AppError {
  return new AppError("not_found", {
    what: `There is no ${what} ${id.slice(0, 60)}.`,
    why: "It never existed, it has been erased, or you do not see its account.",
    fix: "Open it from its list.",
  });
}

function parse<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || (issue?.code === "unrecognized_keys" ? issue.keys[0] : "");
  throw new AppError("invalid_input", {
    what: "The request is not as documented.",
    why: where
      ? `"${where.slice(0, 40)}" is not known or not valid here.`
      : "Its body is not valid.",
    fix: "Compare it with contract/admin-openapi.json.",
  });
}
