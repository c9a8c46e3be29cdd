import type { Command } from "../command.ts";
import { accountsCommands } from "./accounts.ts";
import { agentsCommands } from "./agents.ts";
import { auditCommands } from "./audit.ts";
import { dbCommands } from "./db.ts";
import { doctorCommands } from "./doctor.ts";
import { sessionsCommands } from "./sessions.ts";
import { tokensCommands } from "./tokens.ts";
import { importCommands } from "./import.ts";

/** Every command of `svc`, in the order that help shows them. */
export const commands: Command[] = [
  ...dbCommands,
  ...accountsCommands,
  ...tokensCommands,
  ...agentsCommands,
  ...sessionsCommands,
  ...importCommands,
  ...auditCommands,
  ...doctorCommands,
];
