import type { Command } from "../command.ts";
import { accountsCommands } from "./accounts.ts";
import { agentsCommands } from "./agents/agents.ts";
import { auditCommands } from "./audit.ts";
import { completionCommand } from "./completion.ts";
import { consoleCommands } from "./console.ts";
import { costsCommands } from "./costs.ts";
import { dbCommands } from "./db.ts";
import { deliveriesCommands } from "./deliveries.ts";
import { doctorCommands } from "./doctor.ts";
import { eraseCommands, erasuresCommands } from "./erase.ts";
import { evaluateCommands } from "./evaluate/evaluate.ts";
import { funnelCommands } from "./funnel.ts";
import { importCommands } from "./import.ts";
import { mailCommands } from "./mail.ts";
import { rubricCommands } from "./rubric.ts";
import { sessionsCommands } from "./sessions.ts";
import { statusCommands } from "./status.ts";
import { subjectCommands } from "./subject-export.ts";
import { tokensCommands } from "./tokens.ts";
import { tourCommands } from "./tours/tours-record.ts";
import { webhooksCommands } from "./webhooks/webhooks.ts";

/** Every command of `svc`, in the order that help shows them. */
export const commands: Command[] = [
  ...dbCommands,
  ...accountsCommands,
  ...tokensCommands,
  ...agentsCommands,
  ...tourCommands,
  ...funnelCommands,
  ...costsCommands,
  ...sessionsCommands,
  ...importCommands,
  ...evaluateCommands,
  ...rubricCommands,
  ...webhooksCommands,
  ...deliveriesCommands,
  ...mailCommands,
  ...eraseCommands,
  ...erasuresCommands,
  ...subjectCommands,
  ...consoleCommands,
  ...auditCommands,
  ...statusCommands,
  ...doctorCommands,
  completionCommand(() => commands),
];
