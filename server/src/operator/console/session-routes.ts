import { audit, seesAccount } from "#accounts";
import { orderEvaluation, selectOutcome } from "#evaluation";
import { followUpOf } from "#followup";
import { transact } from "#platform";
import type { Db } from "#platform";
import { searchSessions, tellSession } from "#sessions";
import type { SessionStory } from "#sessions";
import { arrivals } from "#webhooks";
import { EvaluationReceipt, FoundSessions, Story } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { toFoundSession, toStory } from "../pages/story-output.ts";
import { Download, found, LIST, parse, seenBy, unknown } from "./admin-request.ts";
import type { AdminRequest, AdminRoute, Caller } from "./admin-request.ts";
import { seenAgent } from "./agent-routes.ts";
import { spreadsheetOf } from "./spreadsheet.ts";

const SessionsQuery = z.strictObject({
  ...LIST,
  agent: z.string().max(100).exactOptional(),
  status: z.enum(["active", "abandoned", "processed", "error"]).exactOptional(),
  qualification: z.enum(["qualified", "disqualified", "not_enough_data"]).exactOptional(),
  language: z.string().max(40).exactOptional(),
  entry: z.enum(["modal", "widget", "hero"]).exactOptional(),
  device: z.enum(["desktop", "phone", "tablet"]).exactOptional(),
  answered: z.string().max(100).exactOptional(),
  insight: z.string().max(100).exactOptional(),
  delivery: z.enum(["delivered", "under_way", "failed"]).exactOptional(),
  text: z.string().trim().min(2).max(200).exactOptional(),
  before: z.string().max(100).exactOptional(),
  test: z.enum(["true", "false"]).default("false"),
});
type SessionsQuery = z.infer<typeof SessionsQuery>;

export const findSessions: AdminRoute<types.FoundSessions> = {
  method: "GET",
  path: "/admin/v1/sessions",
  least: "viewer",
  output: FoundSessions,
  answer: async (request) => {
    const query = parse(SessionsQuery, request.query);
    const { rows, next } = await search(request, query);
    return { sessions: rows, ...(next && { next }) };
  },
};

/** The rows that a download holds at most: a spreadsheet of more opens slowly, and the export is there for all. */
const DOWNLOADED_AT_MOST = 5_000;

async function spreadsheet(request: AdminRequest): Promise<Download> {
  const query = parse(SessionsQuery, request.query);
  const rows: types.FoundSession[] = [];
  let before = query.before;
  do {
    const page = await search(request, { ...query, ...(before && { before }), limit: 200 });
    rows.push(...page.rows);
    before = page.next;
  } while (before !== undefined && rows.length < DOWNLOADED_AT_MOST);
  await note(request, "session.download", { rows: rows.length });
  return new Download("sessions.csv", "text/csv; charset=utf-8", spreadsheetOf(rows));
}

async function search(
  request: AdminRequest,
  query: SessionsQuery,
): Promise<{ rows: types.FoundSession[]; next: string | undefined }> {
  const { db, user } = request;
  const { account, since, agent, before, test, limit, text, ...chosen } = query;
  // A line of what was heard is a look at a transcript. What was looked for may be an address: it is not written down.
  if (text !== undefined) await note(request, "session.search", {});
  const whose = await seenBy(db, user, account);
  const { sessions: listed, hasMore } = await searchSessions(db, {
    ...whose,
    ...chosen,
    ...(agent !== undefined && { agentId: await agentIdOf(agent) }),
    ...(text !== undefined && { text }),
    ...(since !== undefined && { since: new Date(since) }),
    ...(before !== undefined && { before: parseCursor(before) }),
    test: test === "true",
    limit,
  });
  const arrived = await arrivals(
    db,
    listed.map(({ id }) => id),
  );
  const last = hasMore ? listed.at(-1) : undefined;
  return {
    rows: listed.map((one) => toFoundSession(one, arrived.get(one.id))),
    next: last && cursorOf(last),
  };

  async function agentIdOf(named: string): Promise<string> {
    const accountId = account === undefined ? undefined : whose.accountIds?.[0];
    return (await seenAgent(db, user, named, { accountId, removed: true })).id;
  }
}

async function note(
  { db, user }: AdminRequest,
  action: string,
  detail: Record<string, unknown>,
): Promise<void> {
  const { actor } = user;
  await transact(db, (trx) => audit(trx, { actor, action, subject: "sessions", detail }));
}

/** Where a list goes on: after the session of that start and id. */
function cursorOf({ createdAt, id }: { createdAt: Date; id: string }): string {
  return `${createdAt.toISOString()}_${id}`;
}

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);

function parseCursor(text: string): { at: Date; id: string } {
  const [at, id] = parse(Cursor, text.split("_"));
  return { at: new Date(at), id };
}

/** Everything of a session, what was said included: that it was read is written down first. */
export const readSession: AdminRoute<types.Story> = {
  method: "GET",
  path: "/admin/v1/sessions/:id",
  least: "viewer",
  output: Story,
  answer: async (request) => {
    const { db, user } = request;
    const story = await seenSession(db, user, request.params["id"]!);
    const { id, accountId } = story.session;
    await transact(db, (trx) =>
      audit(trx, { actor: user.actor, action: "session.read", accountId, subject: id }),
    );
    return toStory(story, await followUpOf(db, id));
  },
};

/** Of an account that the person does not see it answers as if the session did not exist. */
export async function seenSession(db: Db, user: Caller, id: string): Promise<SessionStory> {
  const story = await found(user, tellSession(db, id), "session", id);
  if (!seesAccount(user, story.session.accountId)) throw unknown("session", id);
  return story;
}

export const evaluateAgain: AdminRoute<types.EvaluationReceipt> = {
  method: "POST",
  path: "/admin/v1/sessions/:id/evaluate",
  least: "operator",
  output: EvaluationReceipt,
  answer: async (request) => {
    const { db, jobs, user } = request;
    const { session: seen } = await seenSession(db, user, request.params["id"]!);
    const asked = await orderEvaluation(db, jobs, user.actor, seen);
    const outcome = await selectOutcome(db, seen.id);
    if (outcome === undefined) throw unknown("session", seen.id);
    const { version, status } = outcome;
    return { session_id: seen.id, request: asked, version, status };
  },
};

export const SESSION_ROUTES: AdminRoute[] = [
  findSessions,
  { method: "GET", path: "/admin/v1/sessions.csv", least: "viewer", answer: spreadsheet },
  readSession,
  evaluateAgain,
];
