import { audit } from "#accounts";
import { evaluationBacklog } from "#evaluation";
import { missingRoles, reportedProcesses, transact } from "#platform";
import type { Db } from "#platform";
import { NOTHING, oldestUnsettled, sessionTimes, tallySessions } from "#sessions";
import type { SessionTally, SessionTimes, Spread, TalliesFilter } from "#sessions";
import { countDeliveries } from "#webhooks";
import { ConsoleStatus } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import type {
  AgentGaps,
  ConsoleFigures,
  ConsoleFunnel,
  ServiceFigures,
  TimeSpread,
} from "@svc/contract/types";
import * as z from "zod";
import { agentNames } from "../pages/agent-names.ts";
import { DIMENSIONS, funnelOf, funnelRows, startOfDay } from "../pages/funnel-output.ts";
import { toWaiting } from "../pages/export-edge.ts";
import { gapsOf } from "../pages/gaps-output.ts";
import { toProcess } from "../pages/process-output.ts";
import { LIST, parse, seenBy } from "./admin-request.ts";
import type { AdminRequest, AdminRoute } from "./admin-request.ts";
import { seenAgent } from "./agent-routes.ts";

const FiguresQuery = z.strictObject({ account: LIST.account, since: z.iso.datetime() });
const FunnelQuery = FiguresQuery.extend({ by: z.enum(DIMENSIONS).optional() });
const MOST_ROWS = 20;

async function funnel({ db, user, query }: AdminRequest): Promise<ConsoleFunnel> {
  const { account, since: from, by } = parse(FunnelQuery, query);
  const since = startOfDay(new Date(from));
  const filter = { ...(await seenBy(db, user, account)), since };
  const rows = by === undefined ? undefined : await funnelRows(db, filter, by, MOST_ROWS);
  const names = by === "agent" ? await agentNames(db) : undefined;
  return {
    since: since.toISOString(),
    ...(await funnelOf(db, filter)),
    ...(rows && {
      rows: rows.map((row) => {
        const name = row.value === undefined ? undefined : names?.get(row.value);
        return { ...row, ...(name !== undefined && { name }) };
      }),
    }),
  };
}

async function figures({ db, user, query }: AdminRequest): Promise<ConsoleFigures> {
  const { account, since: from } = parse(FiguresQuery, query);
  const since = startOfDay(new Date(from));
  const filter = { ...(await seenBy(db, user, account)), since };
  const [total] = await figuresBy(filter);
  return {
    since: since.toISOString(),
    total: total?.[1] ?? toFigures(NOTHING, undefined),
    days: (await figuresBy(filter, "day"))
      .map(([day, counted]) => ({ day: day!, ...counted }))
      .toSorted((one, other) => (one.day < other.day ? -1 : 1)),
    agents: (await figuresBy(filter, "agent")).map(([id, counted]) => ({
      agent_id: id!,
      ...counted,
    })),
  };

  async function figuresBy(
    chosen: TalliesFilter,
    by?: "day" | "agent",
  ): Promise<[string | null, ServiceFigures][]> {
    const tallies = await tallySessions(db, chosen, by);
    const times = new Map((await sessionTimes(db, chosen, by)).map((one) => [one.value, one]));
    return tallies.map((tally) => [tally.value, toFigures(tally, times.get(tally.value))]);
  }
}

function toFigures(tally: SessionTally, times: SessionTimes | undefined): ServiceFigures {
  return {
    started: tally.started,
    qualified: tally.qualified,
    delivered: tally.delivered,
    failed: tally.failed,
    unanswered: tally.unanswered,
    cost_micros: tally.costMicros,
    cost_is_partial: tally.unpriced > 0,
    ...(times?.answers && { answers: toSpread(times.answers) }),
    ...(times?.cuts && { interruptions: toSpread(times.cuts) }),
  };
}

function toSpread({ count, p50Ms, p95Ms }: Spread): TimeSpread {
  return { count, p50_ms: p50Ms, p95_ms: p95Ms };
}

const GapsQuery = z.strictObject({
  since: z.iso.datetime(),
  limit: z.coerce.number().int().min(1).max(1_000).default(50),
});
/** Some seconds of reading at most. */
const GAPS_IN_AT_MOST = 2_000;

/** What visitors were heard to ask is quoted: that it was read is written down first. */
async function gaps({ db, user, params, query }: AdminRequest): Promise<AgentGaps> {
  const { since, limit } = parse(GapsQuery, query);
  const agent = await seenAgent(db, user, params["id"]!);
  const { accountId, id } = agent;
  await transact(db, (trx) =>
    audit(trx, { actor: user.actor, action: "agent.gaps", accountId, subject: id }),
  );
  return gapsOf(db, agent, { since: new Date(since), limit, maxSessions: GAPS_IN_AT_MOST });
}

const StatusQuery = z.strictObject({});

export const readStatus: AdminRoute<types.ConsoleStatus> = {
  method: "GET",
  path: "/admin/v1/status",
  least: "viewer",
  output: ConsoleStatus,
  answer: async ({ db, user, query }) => {
    parse(StatusQuery, query);
    const processes = await reportedProcesses(db);
    const { waiting, running, modelAway } = await evaluationBacklog(db);
    const alive = processes.filter((one) => one.alive);
    const sumOf = (part: "sessions" | "capacity"): number =>
      alive.reduce((sum, { load }) => sum + (load[part] ?? 0), 0);
    return {
      live: { sessions: sumOf("sessions"), capacity: sumOf("capacity") },
      processes: user.accounts === undefined ? processes.map(toProcess) : [],
      missing_roles: missingRoles(processes),
      evaluations: { waiting, running, model_away: modelAway },
      ...(user.accounts === undefined && (await backlogOfAll(db))),
    };
  },
};

/** What waits, of all accounts. */
async function backlogOfAll(
  db: Db,
): Promise<Pick<types.ConsoleStatus, "oldest_unsettled" | "deliveries">> {
  const oldest = await oldestUnsettled(db);
  const { states, oldestDueSecs } = await countDeliveries(db);
  return {
    ...(oldest !== undefined && {
      oldest_unsettled: {
        session_id: oldest.sessionId,
        created_at: oldest.createdAt.toISOString(),
        ...toWaiting(oldest),
      },
    }),
    deliveries: { ...states, oldest_due_secs: Math.round(oldestDueSecs) },
  };
}

export const OVERVIEW_ROUTES: AdminRoute[] = [
  { method: "GET", path: "/admin/v1/funnel", least: "viewer", answer: funnel },
  { method: "GET", path: "/admin/v1/agents/:id/gaps", least: "viewer", answer: gaps },
  { method: "GET", path: "/admin/v1/figures", least: "viewer", answer: figures },
  readStatus,
];
