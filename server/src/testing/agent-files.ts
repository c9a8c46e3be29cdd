import { AgentFileError, applyAgent, planAgent, readAgent } from "#agents";
import type { AgentPlan, AppliedAgent, Mistake } from "#agents";
import { transact } from "#platform";
import type { Db } from "#platform";

/** What `svc agents plan` does, without its process. */
export async function planFolder(db: Db, accountId: number, folder: string): Promise<AgentPlan> {
  return planAgent(db, accountId, await readAgent(folder));
}

/** What `svc agents apply` does, without its process. */
export async function applyFolder(
  db: Db,
  accountId: number,
  folder: string,
): Promise<AppliedAgent> {
  const source = await readAgent(folder);
  return transact(db, (trx) => applyAgent(trx, "test", "aa", accountId, source));
}

/** What keeps a folder from being read; none when it can be. */
export async function mistakesIn(folder: string): Promise<Mistake[]> {
  try {
    await readAgent(folder);
    return [];
  } catch (error) {
    if (error instanceof AgentFileError) return error.mistakes;
    throw error;
  }
}
