import type { MailCatcher } from "@svc/rehearsal";
import { createSmtpMail, MailError, normalizeEmail } from "@svc/server/testing";
import fc from "fast-check";
import { mailFaults } from "./judge-mail.ts";

/** What somebody may enter who wants one mail to reach others too. */
interface HostileMail {
  /** As it was typed into a form. */
  address: string;
  /** In place of the brand's name, the subject, and a link. */
  name: string;
  subject: string;
  link: string;
}

const good = fc.constantFrom(
  "ada@customer.test",
  "ada+demo@customer.test",
  "Ada.Lovelace@Customer.Test",
  "o'brien@customer.test",
  "ada@bücher.test",
  "ada@xn--bcher-kva.test",
  "ada@ｃustomer。test",
  "ada@customer.test.",
  "postmaster%customer.test@relay.test",
  "ada!bob@customer.test",
  "{ada}|`id`@customer.test",
  "-oQ/tmp@customer.test",
);
const breaks = "\r\n|\n|\r|\u0000|\u0085|\u2028|\u2029|\v|\u00a0|\t| ".split("|");
const marks = `, ; : < > " \\ ( ) [ ] @ . .. % =?utf-8?q?=0d=0a?=`.split(" ");
const lookalikes = ["，", "＠", "；", "＜", "﹫", "\u200b", "\u202e", "\ud800", "é", "𝒂", "\u0301"];
/** What ends an address, a command or a header, begins another one, or cannot be seen. */
const poison = fc.constantFrom(...breaks, ...marks, ...lookalikes);
const order = fc.constantFrom(
  "RCPT TO:<eve@evil.test>",
  "\r\nRCPT TO:<eve@evil.test>\r\nDATA",
  "\r\n.\r\nMAIL FROM:<eve@evil.test>",
  "Bcc: eve@evil.test",
  "\r\nBcc: eve@evil.test",
  "\nTo: eve@evil.test",
  "\r\n\r\n<script>",
  "eve@evil.test",
  "<eve@evil.test>",
  "team: eve@evil.test, bob@evil.test;",
  "SIZE=1 NOTIFY=SUCCESS",
);

const anything = fc.oneof(
  { weight: 4, arbitrary: good },
  { weight: 3, arbitrary: poison },
  { weight: 2, arbitrary: order },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);
const mixture = fc.array(anything, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));

/** A good address with something put into it. */
const spoiled = fc
  .tuple(good, fc.oneof(poison, order), fc.nat(30))
  .map(([address, what, at]) => address.slice(0, at) + what + address.slice(at));

export const addresses: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: good },
  { weight: 3, arbitrary: spoiled },
  { weight: 2, arbitrary: mixture },
  { weight: 1, arbitrary: fc.emailAddress() },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.string({ unit: "binary", maxLength: 80 }), fc.constant("@customer.test"))
      .map((parts) => parts.join("")),
  },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 40, max: 320 })
      .map((length) => `${"a".repeat(length)}@customer.test`),
  },
);

export const hostileMails: fc.Arbitrary<HostileMail> = fc.record({
  address: addresses,
  name: mixture,
  subject: mixture.map((text) => `Your conversation with ${text}`),
  link: mixture.map((text) => `<https://svc.test/${text}>`),
});

export interface HostileTally {
  tried: number;
  /** Those that became an `email`, and those of them that were mailed. */
  stored: number;
  mailed: number;
  faults: string[];
}

/** Many at once: the catcher waits a tenth of a second before it greets, as real mail servers do. */
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
