import { listAccounts } from "#accounts";
import { listAgents } from "#agents";
import type { Db } from "#platform";

/** What people call each agent, by its id: its slug, with the account where several have the same. */
export async function agentNames(db: Db): Promise<Map<string, string>> {
  const agents = await listAgents(db, undefined, { removed: true });
  const accounts = new Map((await listAccounts(db)).map(({ id, name }) => [id, name]));
  const bySlug = Map.groupBy(agents, ({ slug }) => slug);
  return new Map(
    agents.map(({ id, slug, accountId }) => [
      id,
      bySlug.get(slug)!.length === 1 ? slug : `${slug} (${accounts.get(accountId)})`,
    ]),
  );
}
