import { addCustomer, addReceiver } from "@svc/server/testing";
import type { TestDatabase } from "@svc/server/testing";
import { Random } from "@svc/tools/random";
import { runSvc } from "../pipeline/run-svc.ts";
import type { Stage } from "../stage/stage.ts";
import type { MadeWorld } from "./expected.ts";
import { generateSessions, generateViews, INSIGHTS, QUESTIONS } from "./generate-sessions.ts";
import type { MadeAgent, MadeEndpoint } from "./generate-sessions.ts";
import { storeSessions, storeViews } from "./store-sessions.ts";

/** Three customers, of whom the first has two agents and the last lets sessions be read as they settle. */
const CUSTOMERS = [
  { name: "Acme", slugs: ["guide", "expert"], receivers: ["one", "two"] },
  { name: "Brio", slugs: ["guide"], receivers: ["three"] },
  { name: "Cask", slugs: ["guide"], receivers: [] },
];

/** Fills a database with so many sessions, and returns what they are. */
export async function makeWorld(
  { db, pool }: TestDatabase,
  count: number,
  seed: number,
  nowMs: number,
): Promise<MadeWorld> {
  const random = new Random(seed);
  const accounts: (MadeWorld["accounts"][number] & { id: number })[] = [];
  const agents: MadeAgent[] = [];
  const endpoints: MadeEndpoint[] = [];
  const keyed = (keys: string[]): { key: string; text: string }[] =>
    keys.map((key) => ({ key, text: `What about ${key}?` }));
  const config = { questions: keyed(QUESTIONS), insights: keyed(INSIGHTS) };
  for (const [index, { name, slugs, receivers }] of CUSTOMERS.entries()) {
    const isHeld = index < 2;
    const exportMode = isHeld ? "settled_prefix" : "as_available";
    const customer = await addCustomer(db, { name, exportMode, agent: config });
    const { id, clientId } = customer.account;
    accounts.push({ id, clientId, name, isHeld });
    for (const slug of slugs) {
      const agentId =
        slug === "guide" ? customer.agent.agentId : `agent_${String(index).repeat(22)}`;
      await pool.query(
        `WITH added AS (
           INSERT INTO agents (id, account_id, slug) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
         ), versions AS (
           INSERT INTO agent_versions (agent_id, version, config, created_by)
           SELECT $1, n, config, 'test' FROM agent_versions, generate_series(1, 2) AS n WHERE agent_id = $4
           ON CONFLICT DO NOTHING
         ) SELECT`,
        [agentId, id, slug, customer.agent.agentId],
      );
      await pool.query("UPDATE agents SET current_version = 2 WHERE id = $1", [agentId]);
      agents.push({ id: agentId, account: index, slug });
    }
    for (const [place, host] of receivers.entries()) {
      const url = `https://${host}.example.com/hook`;
      const agent = place === 1 ? agents.at(-1)!.id : undefined;
      const added = await addReceiver(db, customer, url, { ...(agent && { agentIds: [agent] }) });
      endpoints.push({ id: added.id, account: index, url, agent });
    }
  }
  const sessions = generateSessions(random, count, agents, endpoints, nowMs);
  const views = generateViews(random, agents, nowMs);
  await storeSessions(
    pool,
    sessions,
    accounts.map(({ id }) => id),
  );
  await storeViews(pool, views);
  // As autovacuum does: plans that were made for empty tables read all of them for each session.
  await pool.query("ANALYZE");
  return { accounts, agents, endpoints, sessions, views };
}

/** Somebody who asks the admin API. */
export type Asker = <T>(path: string, query?: object) => Promise<T>;

/** Signs somebody in with a token. */
export async function asker(
  { database }: Pick<Stage, "database">,
  url: string,
  login: string[],
): Promise<Asker> {
  const made = await runSvc(database, ["console", "login", ...login, "--token", "--json"]);
  const { token } = JSON.parse(made) as { token: string };
  return async <T>(path: string, query: object = {}): Promise<T> => {
    const search = new URLSearchParams(query as Record<string, string>).toString();
    const response = await fetch(`${url}/admin/v1/${path}${search && `?${search}`}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (!response.ok)
      throw new Error(`${path}?${search}: ${response.status} ${await response.text()}`);
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return (isJson ? response.json() : response.text()) as Promise<T>;
  };
}
