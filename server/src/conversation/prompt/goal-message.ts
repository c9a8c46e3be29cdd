import type { DemoPlan } from "../plan/demo-plan.ts";
import { MOST_WORDS } from "../plan/goal.ts";
import type { Goal } from "../plan/goal.ts";

/** The last message of a request. New each time, and never kept in the history. */
export function goalMessage(goal: Goal, plan: DemoPlan, language: string): string {
  return `${OPENING}\n${JSON.stringify({ language, most_words: MOST_WORDS, goal, ...plan.state })}`;
}

const OPENING = "Goal of this turn:";
