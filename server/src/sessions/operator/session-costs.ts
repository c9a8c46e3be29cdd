import type { Db } from "#platform";
import { selectCosts, selectSilentCosts } from "./session-costs-store.ts";
import type { CostsFilter, ModelCosts } from "./session-costs-store.ts";

export type { CostsFilter, ModelCosts } from "./session-costs-store.ts";

export interface SessionCosts {
  models: ModelCosts[];
  /** Conversations by voice without a recorded cost of speech: it had no price. */
  unpricedSpeech: number;
}

/** What sessions used of models, and what that cost when it was used. Erased sessions are not counted. */
export async function sessionCosts(
  db: Db,
  filter: CostsFilter,
  by?: "day" | "agent",
): Promise<SessionCosts> {
  return {
    models: await selectCosts(db, filter, by),
    unpricedSpeech: await selectSilentCosts(db, filter),
  };
}
