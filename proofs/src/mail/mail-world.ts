import { startLanguageModel, startMailCatcher } from "@svc/rehearsal";
import type { MailCatcher } from "@svc/rehearsal";
import { addCustomer, changeAccount, end, say, start, startScriptedDns } from "@svc/server/testing";
import type { Customer, PlayedTurn, TestDatabase } from "@svc/server/testing";
import { talk } from "../pipeline/talks.ts";

/** What a server needs to send mail, and a customer who wants it sent. */
export interface MailWorld {
  catcher: MailCatcher;
  customer: Customer;
  /** For the server's processes. */
  environment: Record<string, string>;
}

/** Every domain in it takes mail, and its model believes what visitors say. */
export async function openMailWorld(
  { db }: TestDatabase,
  onEnd: (clean: () => unknown) => void,
): Promise<MailWorld> {
  const catcher = await startMailCatcher();
  onEnd(() => catcher.close());
  const model = await startLanguageModel({ faults: [{ kind: "gullible" }] });
  onEnd(() => model.close());
  const names = await startScriptedDns(({ type }) => (type === "MX" ? ["10 mx.test"] : []));
  onEnd(() => names.close());
  const customer = await addCustomer(db);
  await changeAccount(db, customer, { followUp: true });
  return {
    catcher,
    customer,
    environment: {
      SVC_MODEL_URL: model.baseUrl,
      SVC_EVALUATION_MODEL: "rehearsal",
      SVC_DNS_SERVERS: names.server,
      SVC_SMTP_URL: catcher.smtpUrl,
      SVC_SMTP_TLS: "off",
      SVC_MAIL_FROM: "Svc <hello@svc.test>",
    },
  };
}

/** A talk in which this was given as an address, from its start to its end. Returns the session's id. */
export async function talkWithAddress(
  { db }: TestDatabase,
  customer: Customer,
  address: string,
  more: PlayedTurn[] = [],
): Promise<string> {
  const session = await start(db, customer, { metadata: { email: address } });
  await say(db, session, [...talk(12), ...more]);
  await end(db, session);
  return session.id;
}
