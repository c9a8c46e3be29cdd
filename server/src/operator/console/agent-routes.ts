import { findAgent, listAgents, setAgentState } from "#agents";
import type { AgentState, ListedAgent } from "#agents";
import { transact } from "#platform";
import type { Db } from "#platform";
import { AgentChange, ConsoleAgents } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { LIST, parse, seenAccounts, unknown } from "./admin-request.ts";
import type { AdminRoute, Caller } from "./admin-request.ts";

const AgentsQuery = z.strictObject({ account: LIST.account });

export const listSeenAgents: AdminRoute<types.ConsoleAgents> = {
  method: "GET",
  path: "/admin/v1/agents",
  least: "viewer",
  output: ConsoleAgents,
  answer: async ({ db, user, query }) => {
    const seen = await seenAccounts(db, user, parse(AgentsQuery, query).account);
    const [only, ...others] = seen.keys();
    const listed = await listAgents(db, others.length === 0 ? only : undefined);
    return {
      agents: listed.flatMap(({ accountId, ...agent }) => {
        const account = seen.get(accountId);
        if (account === undefined) return [];
        return {
          id: agent.id,
          slug: agent.slug,
          name: agent.config.name,
          client_id: account.clientId,
          account_name: account.name,
          state: agent.state,
          version: agent.version,
          version_at: agent.versionAt.toISOString(),
          languages: agent.config.languages.map(({ code }) => code),
          questions: agent.config.questions.map(({ key }) => key),
          insights: agent.config.insights.map(({ key }) => key),
        };
      }),
    };
  },
};

/** An agent starts no more sessions; those that run go on. */
export const pauseAgent: AdminRoute<types.AgentChange> = stateRoute("pause", "paused");
export const resumeAgent: AdminRoute<types.AgentChange> = stateRoute("resume", "live");

function stateRoute(verb: string, state: AgentState): AdminRoute<types.AgentChange> {
  return {
    method: "POST",
    path: `/admin/v1/agents/:id/${verb}`,
    least: "operator",
    output: AgentChange,
    answer: async ({ db, user, params }) => {
      const agent = await seenAgent(db, user, params["id"]!);
      const changed = await transact(db, (trx) => setAgentState(trx, user.actor, agent, state));
      return { id: agent.id, slug: agent.slug, state, changed };
    },
  };
}

/**
 * By its id or its folder's name.
 *
 * @param options.removed to read about sessions: also finds an agent that was removed.
 */
export async function seenAgent(
  db: Db,
  user: Caller,
  named: string,
  { accountId, ...options }: { accountId?: number | undefined; removed?: boolean } = {},
): Promise<ListedAgent> {
  if (user.accounts === undefined) return findAgent(db, named, accountId, options);
  const ids = user.accounts.map(({ id }) => id);
  const chosen = ids.filter((id) => accountId === undefined || id === accountId);
  const seen = await Promise.all(chosen.map((id) => listAgents(db, id, options)));
  const [agent, other] = seen.flat().filter(({ id, slug }) => id === named || slug === named);
  if (agent === undefined || other !== undefined) throw unknown("agent", named);
  return agent;
}

export const AGENT_ROUTES: AdminRoute[] = [listSeenAgents, pauseAgent, resumeAgent];
