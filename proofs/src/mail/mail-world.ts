import { setTimeout as delay } from "node:timers/promises";
import { startLanguageModel, startMailCatcher } from "@svc/rehearsal";
import type { CaughtMail, Fault, MailCatcher } from "@svc/rehearsal";
import { addCustomer, changeAccount, end, say, start, startScriptedDns } from "@svc/server/testing";
import type { Customer, TestDatabase } from "@svc/server/testing";
import { talk } from "../pipeline/talks.ts";

type OnEnd = (clean: () => unknown) => void;

/** A mail server, a name server that says of every domain that it takes mail, and a customer who wants mails sent. */
export interface MailWorld {
  catcher: MailCatcher;
  customer: Customer;
  /** For the server's processes. */
  environment: Record<string, string>;
}

export async function openMailWorld(
  { db }: TestDatabase,
  onEnd: OnEnd,
  faults: Fault[] = [],
): Promise<MailWorld> {
  const { catcher, environment } = await openMailServers(onEnd);
  const model = await startLanguageModel({ faults });
  onEnd(() => model.close());
  const customer = await addCustomer(db);
  await changeAccount(db, customer, { followUp: true });
  return {
    catcher,
    customer,
    environment: {
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      ...environment,
    },
  };
}

export async function openMailServers(
  onEnd: OnEnd,
): Promise<Pick<MailWorld, "catcher" | "environment">> {
  const catcher = await startMailCatcher();
  onEnd(() => catcher.close());
  const names = await startScriptedDns(({ type }) => (type === "MX" ? ["10 mx.test"] : []));
  onEnd(() => names.close());
  return {
    catcher,
    environment: {
      SVC_DNS_SERVERS: names.server,
      SVC_SMTP_URL: catcher.smtpUrl,
      SVC_SMTP_TLS: "off",
      SVC_MAIL_FROM: "Svc <hello@svc.test>",
    },
  };
}

/** A talk in which this was given as an address, from its start to its end. */
export async function talkWithAddress(
  { db }: TestDatabase,
  customer: Customer,
  address: string,
): Promise<void> {
  const session = await start(db, customer, { metadata: { email: address } });
  await say(db, session, talk(12));
  await end(db, session);
}

/** What the database says of a session's mail. */
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

/** Waits until every session is settled and the outcome of every mail is known. */
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
