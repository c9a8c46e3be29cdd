import type { MailCatcher } from "@svc/rehearsal";
import { createSmtpMail, MailError, normalizeEmail } from "@svc/server/testing";
import type { HostileMail } from "./hostile-mails.ts";
import { mailFaults } from "./judge-mail.ts";

export interface HostileTally {
  tried: number;
  /** Those that became an `email`, and those of them that were mailed. */
  stored: number;
  mailed: number;
  faults: string[];
}

/** At once: the catcher waits a tenth of a second before it greets, as real ones do. */
const AT_ONCE = 100;

/** Sends each to its address, as the product stores it; one that would not be stored is tried as it was typed. */
export async function playHostileMails(
  catcher: MailCatcher,
  mails: HostileMail[],
  tally: HostileTally,
): Promise<void> {
  for (let from = 0; from < mails.length; from += AT_ONCE) {
    await playTogether(catcher, mails.slice(from, from + AT_ONCE), tally);
  }
}

async function playTogether(
  catcher: MailCatcher,
  mails: HostileMail[],
  tally: HostileTally,
): Promise<void> {
  const before = catcher.counts();
  const sent = await Promise.all(
    mails.map(async (mail, index) => {
      const email = normalizeEmail(mail.address);
      if (email !== undefined) tally.stored += 1;
      const to = email ?? mail.address;
      const id = `${tally.tried + index}@svc.test`;
      const outcome = await send(catcher, to, id, mail);
      return { to, isStored: email !== undefined, id, outcome };
    }),
  );
  tally.tried += mails.length;

  const caught = Map.groupBy(catcher.mails(before.mails), ({ messageId }) => messageId);
  let explained = 0;
  for (const { to, isStored, id, outcome } of sent) {
    const copies = caught.get(`<${id}>`) ?? [];
    explained += copies.length;
    tally.mailed += copies.length;
    const what = JSON.stringify(to);
    if (copies.length !== (outcome === "sent" ? 1 : 0)) {
      tally.faults.push(`${what}: ${copies.length} mails, ${outcome}`);
    }
    if (outcome === "later" || outcome === "unknown") tally.faults.push(`${what}: ${outcome}`);
    for (const copy of copies) {
      const wrong = mailFaults(to, copy, catcher.content(copy.number)!);
      // What is no address to us must not be one to a mail server.
      if (!isStored && /[\s,;:<>"@\\()]/.test(to.replace("@", ""))) wrong.push("is not an address");
      tally.faults.push(...wrong.map((one) => `${what}: ${one}`));
    }
  }
  const after = catcher.counts();
  if (after.mails - before.mails !== explained) tally.faults.push("a mail that nobody sent");
}

async function send(
  { smtpUrl }: MailCatcher,
  to: string,
  messageId: string,
  { name, subject, link }: HostileMail,
): Promise<"sent" | MailError["outcome"]> {
  const mail = createSmtpMail({ url: smtpUrl, from: { address: "hello@svc.test" }, tls: "off" });
  try {
    await mail.send({
      to,
      subject,
      text: "Hello.\n.\nQUIT\n",
      html: "<p>Hello.</p>",
      fromName: name,
      messageId,
      headers: {
        "List-Unsubscribe": link,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    });
    return "sent";
  } catch (error) {
    if (error instanceof MailError) return error.outcome;
    throw error;
  }
}
