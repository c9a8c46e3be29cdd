import type { Db } from "#platform";
import { selectSteps } from "./session-steps-store.ts";
import type { SessionSteps, StepsDimension, StepsFilter } from "./session-steps-store.ts";

export type { SessionSteps, StepsDimension } from "./session-steps-store.ts";

/** How far sessions came that visitors started. Erased ones are not counted. */
export async function countSteps(
  db: Db,
  filter: StepsFilter,
  by?: StepsDimension,
): Promise<SessionSteps[]> {
  return selectSteps(db, filter, by);
}
