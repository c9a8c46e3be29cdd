import { embedKnowledge } from "#agents";
import { evaluate } from "#evaluation";
import { followUp } from "#followup";
import type { JobQueue } from "#platform";
import { checkDomain, sessionEnded } from "#sessions";
import { deliver } from "#webhooks";

/** Every job there is: a queue is made for each when the database is migrated. */
export const JOBS: readonly JobQueue[] = [
  checkDomain,
  sessionEnded,
  evaluate,
  deliver,
  followUp,
  embedKnowledge,
];
