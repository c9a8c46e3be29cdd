import { FOLLOW_UP_STATES } from "#followup";
import type { FollowUpState, ListedFollowUp } from "#followup";
import * as z from "zod";

/** The mail of one session, as `mail list --json` prints it. */
export interface MailRow {
  session_id: string;
  state: FollowUpState;
  reason?: string;
  client_id: string;
  account_name: string;
  attempts: number;
  created_at: string;
  due_at?: string;
  finished_at?: string;
}

const at = z.iso.datetime();
export const MailRow: z.ZodType<MailRow> = z.strictObject({
  session_id: z.uuid(),
  state: z.enum(FOLLOW_UP_STATES),
  reason: z
    .string()
    .exactOptional()
    .describe("Why it was skipped or refused, or what the mail server said last"),
  client_id: z.string(),
  account_name: z.string(),
  attempts: z.int().describe("Attempts that were begun"),
  created_at: at,
  due_at: at.exactOptional().describe("When it is tried next, while it waits"),
  finished_at: at.exactOptional(),
});

export function toMailRow(mail: ListedFollowUp): MailRow {
  const { reason, finishedAt } = mail;
  return {
    session_id: mail.sessionId,
    state: mail.state,
    ...(reason !== null && { reason }),
    client_id: mail.clientId,
    account_name: mail.accountName,
    attempts: mail.attempts,
    created_at: mail.createdAt.toISOString(),
    ...(mail.state === "waiting" && { due_at: mail.dueAt.toISOString() }),
    ...(finishedAt !== null && { finished_at: finishedAt.toISOString() }),
  };
}
