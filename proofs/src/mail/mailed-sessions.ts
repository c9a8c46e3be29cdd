import { setTimeout as delay } from "node:timers/promises";
import type { CaughtMail, MailCatcher } from "@svc/rehearsal";
import type { TestDatabase } from "@svc/server/testing";

/** What the record says of a session's mail. */
export interface MailedSession {
  id: string;
  status: string;
  email: string | null;
  /** Null where none was ordered. */
  state: "waiting" | "sending" | "sent" | "refused" | "unknown" | "skipped" | null;
  reason: string | null;
}

export async function readMailed({ pool }: TestDatabase): Promise<MailedSession[]> {
  const { rows } = await pool.query<MailedSession>(
    `SELECT s.id, s.status, s.email, f.state, f.reason FROM sessions s
     LEFT JOIN follow_ups f ON f.session_id = s.id ORDER BY s.created_at, s.id`,
  );
  return rows;
}

/** Waits until every session is settled and every mail's fate is known. */
export async function untilMailed(database: TestDatabase, mayWait: () => boolean): Promise<void> {
  const isOpen = ({ status, state }: MailedSession): boolean =>
    status === "active" || state === "waiting" || state === "sending";
  while ((await readMailed(database)).some(isOpen) && mayWait()) await delay(200);
}

/** The mails in the inbox, by the session that their Message-ID names. */
export function mailsBySession(catcher: MailCatcher): Map<string, Readonly<CaughtMail>[]> {
  return Map.groupBy(
    catcher.mails(),
    ({ messageId = "" }) => /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(messageId)?.[0] ?? "",
  );
}
