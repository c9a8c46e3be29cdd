import { audit, listAccounts, seesAccount } from "#accounts";
import { findAgent } from "#agents";
import { evaluationBacklog } from "#evaluation";
import { missingRoles, reportedProcesses, transact } from "#platform";
import { sessionCosts } from "#sessions";
import type { AgentGaps, ConsoleFunnel, ConsoleStatus } from "@svc/contract/types";
import * as z from "zod";
import { agentNames } from "../pages/agent-names.ts";
import {
  DIMENSIONS,
  FUNNEL_STEPS,
  funnelOf,
  funnelRows,
  SHARE_OF,
  shareOf,
  startOfDay,
} from "../pages/funnel-output.ts";
import type { FunnelCounts } from "../pages/funnel-output.ts";
import { gapsOf } from "../pages/gaps-output.ts";
import { toProcess } from "../pages/process-output.ts";
import { found, LIST, parse, unknown } from "./admin-request.ts";
import type { AdminRequest, AdminRoute } from "./admin-request.ts";

export const OVERVIEW_ROUTES: AdminRoute[] = [
  { method: "GET", path: "/admin/v1/funnel", least: "viewer", answer: funnel },
  { method: "GET", path: "/admin/v1/agents/:id/gaps", least: "viewer", answer: gaps },
  { method: "GET", path: "/admin/v1/status", least: "viewer", answer: status },
];

const FunnelQuery = z.strictObject({
  account: LIST.account,
  since: z.iso.datetime(),
  by: z.enum(DIMENSIONS).optional(),
});
const MOST_ROWS = 20;

async function funnel({ db, user, query }: AdminRequest): Promise<ConsoleFunnel> {
  const { account, since: from, by } = parse(FunnelQuery, query);
  const since = startOfDay(new Date(from));
  const isOfAll = user.accounts === undefined && account === undefined;
  const seen = user.accounts ?? (account === undefined ? [] : await listAccounts(db));
  const chosen = seen.filter(({ clientId }) => account === undefined || clientId === account);
  // All accounts are one question. Those of somebody who sees some are asked one by one, and summed up.
  const filters = isOfAll ? [{ since }] : chosen.map(({ id }) => ({ since, accountId: id }));
  const counts: FunnelCounts = {};
  const sum = { declined: 0, cost_micros: 0, cost_is_partial: false };
  for (const filter of filters) {
    const { steps, declined } = await funnelOf(db, filter);
    for (const { step, count } of steps) counts[step] = (counts[step] ?? 0) + count;
    const { models, unpricedSpeech } = await sessionCosts(db, filter);
    sum.declined += declined;
    sum.cost_micros += models.reduce((all, one) => all + one.costMicros, 0);
    sum.cost_is_partial ||= unpricedSpeech > 0 || models.some((one) => one.tokensAtZero > 0);
  }
  const [only, ...others] = filters;
  const rows =
    by !== undefined && only !== undefined && others.length === 0
      ? await funnelRows(db, only, by, MOST_ROWS)
      : undefined;
  const names = by === "agent" ? await agentNames(db) : undefined;
  return {
    since: since.toISOString(),
    steps: FUNNEL_STEPS.map((step) => {
      const share = shareOf(counts, step);
      const of = share === undefined ? {} : { of: SHARE_OF[step]!, share };
      return { step, count: counts[step] ?? 0, ...of };
    }),
    ...sum,
    ...(rows && {
      rows: rows.map((row) => {
        const name = row.value === undefined ? undefined : names?.get(row.value);
        return { ...row, ...(name !== undefined && { name }) };
      }),
    }),
  };
}

const GapsQuery = z.strictObject({ since: z.iso.datetime(), limit: LIST.limit });
/** Some seconds of reading at most. */
const GAPS_IN_AT_MOST = 2_000;

/** What visitors were heard to ask is quoted: that it was read is written down first. */
async function gaps({ db, user, params, query }: AdminRequest): Promise<AgentGaps> {
  const { since, limit } = parse(GapsQuery, query);
  const id = params["id"] ?? "";
  const agent = await found(user, findAgent(db, id), "agent", id);
  if (agent.id !== id || !seesAccount(user, agent.accountId)) throw unknown("agent", id);
  const { accountId } = agent;
  await transact(db, (trx) =>
    audit(trx, { actor: user.actor, action: "agent.gaps", accountId, subject: id }),
  );
  return gapsOf(db, agent, { since: new Date(since), limit, maxSessions: GAPS_IN_AT_MOST });
}

const StatusQuery = z.strictObject({});

async function status({ db, user, query }: AdminRequest): Promise<ConsoleStatus> {
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
  };
}
