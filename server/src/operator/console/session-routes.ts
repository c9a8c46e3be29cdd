import { audit, seesAccount } from "#accounts";
import { orderEvaluation, selectOutcome } from "#evaluation";
import { followUpOf } from "#followup";
import { transact } from "#platform";
import { searchSessions, tellSession } from "#sessions";
import type { FoundSessions as Found, SessionStory } from "#sessions";
import { arrivals } from "#webhooks";
import { EvaluationReceipt, FoundSessions, Story } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { toFoundSession, toStory } from "../pages/story-output.ts";
import { Download, found, LIST, parse, seenBy, unknown } from "./admin-request.ts";
import type { AdminRequest, AdminRoute } from "./admin-request.ts";
import { spreadsheetOf } from "./spreadsheet.ts";

const SessionsQuery = z.strictObject({
  ...LIST,
  agent: z.string().max(100).optional(),
  status: z.enum(["active", "abandoned", "processed", "error"]).optional(),
  qualification: z.enum(["qualified", "disqualified", "not_enough_data"]).optional(),
  language: z.string().max(40).optional(),
  text: z.string().trim().min(2).max(200).optional(),
  before: z.string().max(100).optional(),
  test: z.enum(["true", "false"]).default("false"),
});
type SessionsQuery = z.infer<typeof SessionsQuery>;

async function sessions(request: AdminRequest): Promise<types.FoundSessions> {
  const query = parse(SessionsQuery, request.query);
  const { rows, readTo } = await search(request, query);
  // It may have read as much as one page may without filling it.
  const stopped = readTo !== undefined && rows.length < query.limit;
  return {
    sessions: rows,
    ...(readTo && { next: cursorOf(readTo) }),
    ...(stopped && { searched_to: readTo.createdAt.toISOString() }),
  };
}

/** The rows that a download holds at most: a spreadsheet of more opens slowly, and the export is there for all. */
const DOWNLOADED_AT_MOST = 5_000;

async function spreadsheet(request: AdminRequest): Promise<Download> {
  const query = parse(SessionsQuery, request.query);
  const rows: types.FoundSession[] = [];
  let before = query.before;
  do {
    const page = await search(request, { ...query, ...(before && { before }), limit: 200 });
    rows.push(...page.rows);
    before = page.readTo && cursorOf(page.readTo);
  } while (before !== undefined && rows.length < DOWNLOADED_AT_MOST);
  await note(request, "session.download", { rows: rows.length });
  return new Download("sessions.csv", "text/csv; charset=utf-8", spreadsheetOf(rows));
}

async function search(
  request: AdminRequest,
  query: SessionsQuery,
): Promise<{ rows: types.FoundSession[]; readTo: Found["readTo"] }> {
  const { db, user } = request;
  const { account, since, agent, status, qualification, language, text, before } = query;
  // A line of what was heard is a look at a transcript. What was looked for may be an address: it is not written down.
  if (text !== undefined) await note(request, "session.search", {});
  const { sessions: listed, readTo } = await searchSessions(db, {
    ...(await seenBy(db, user, account)),
    ...(agent !== undefined && { agentId: agent }),
    ...(status !== undefined && { status }),
    ...(qualification !== undefined && { qualification }),
    ...(language !== undefined && { language }),
    ...(text !== undefined && { text }),
    ...(since !== undefined && { since: new Date(since) }),
    ...(before !== undefined && { before: parseCursor(before) }),
    test: query.test === "true",
    limit: query.limit,
  });
  const arrived = await arrivals(
    db,
    listed.map(({ id }) => id),
  );
  return { rows: listed.map((one) => toFoundSession(one, arrived.get(one.id))), readTo };
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
    const story = await seenSession(request);
    const { id, accountId } = story.session;
    await transact(db, (trx) =>
      audit(trx, { actor: user.actor, action: "session.read", accountId, subject: id }),
    );
    return toStory(story, await followUpOf(db, id));
  },
};

/** Of an account that the person does not see it answers as if the session did not exist. */
async function seenSession({ db, user, params }: AdminRequest): Promise<SessionStory> {
  const id = params["id"]!;
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
    const { session: seen } = await seenSession(request);
    const asked = await orderEvaluation(db, jobs, user.actor, seen);
    const outcome = await selectOutcome(db, seen.id);
    if (outcome === undefined) throw unknown("session", seen.id);
    const { version, status } = outcome;
    return { session_id: seen.id, request: asked, version, status };
  },
};

export const SESSION_ROUTES: AdminRoute[] = [
  {
    method: "GET",
    path: "/admin/v1/sessions",
    least: "viewer",
    output: FoundSessions,
    answer: sessions,
  },
  { method: "GET", path: "/admin/v1/sessions.csv", least: "viewer", answer: spreadsheet },
  readSession,
  evaluateAgain,
];
