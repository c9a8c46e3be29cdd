import { agentChecks } from "./doctor-agents.ts";
import type { Check } from "./check.ts";
import { databaseChecks } from "./doctor-database.ts";
import { mailChecks } from "./doctor-mail.ts";
import { modelChecks } from "./doctor-models.ts";
import { networkChecks } from "./doctor-network.ts";
import { postgresChecks } from "./doctor-postgres.ts";
import { processChecks } from "./doctor-processes.ts";
import { speechChecks } from "./doctor-speech.ts";
import { workChecks } from "./doctor-work.ts";

/** In the order in which one thing depends on another. Every part that can fail has its check here. */
export const checks: readonly Check[] = [
  ...databaseChecks,
  ...postgresChecks,
  ...processChecks,
  ...workChecks,
  ...networkChecks,
  ...modelChecks,
  ...agentChecks,
  ...speechChecks,
  ...mailChecks,
];
