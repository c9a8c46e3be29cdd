import { AppError, createSmtpMail, MailError } from "#platform";
import * as z from "zod";
import { defineCommand, given } from "../command.ts";
import type { Command } from "../command.ts";
import { parseAddress } from "../arguments/parse-arguments.ts";
import { wrap } from "../terminal/terminal.ts";

const Tried = z.strictObject({
  server: z.string().describe("Its name and port"),
  from: z.string(),
  signed: z.boolean().describe("Whether it carries a DKIM signature"),
  outcome: z.enum(["sent", "later", "refused", "unknown"]),
  said: z.string().describe("The server's own words, or what went wrong before it had any"),
});

export const mailTest: Command = defineCommand({
  name: "mail test",
  summary: "Send a mail to yourself, and tell what the mail server said",
  options: [{ flags: "--to <address>", summary: "where to", required: true }],
  examples: [["svc mail test --to you@example.com", "exits with 1 when it was not taken"]],
  output: Tried,
  run: async (operator, input): Promise<z.infer<typeof Tried>> => {
    const to = parseAddress(given(input, "to"));
    const settings = operator.mail();
    if (settings === undefined) throw notSetUp();
    const { url, from, dkim } = settings;
    let said = "";
    const facts = { server: new URL(url).host, from: from.address, signed: dkim !== undefined };
    try {
      await createSmtpMail(settings, (answer) => (said = answer)).send({
        to,
        subject: "A test mail of Svc",
        text: `This mail was sent by \`svc mail test\`. If you read it, mails to prospects reach you too.\n\nLook at its headers: "spf" and "dkim" should both say "pass".\n`,
      });
      return { ...facts, outcome: "sent", said };
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      return { ...facts, outcome: error.outcome, said: error.reason };
    }
  },
  render: ({ server, outcome, said, signed }, terminal) =>
    [
      outcome === "sent"
        ? `${server} took the mail. It said: ${said}`
        : `${server} did not take the mail: ${said}.`,
      ...(outcome === "sent" && !signed
        ? [
            "It is not signed: without DKIM many mailboxes put it among the spam, and one-click unsubscribing is not offered.",
          ]
        : []),
      ...(outcome === "sent" ? [] : [FIX[outcome]]),
    ]
      .map((line) => wrap(line, terminal.width, 0))
      .join("\n"),
  exitCode: ({ outcome }) => (outcome === "sent" ? 0 : 1),
});

const FIX = {
  later:
    "A mail to a prospect would be tried again for a day. Check SVC_SMTP_URL and the server's certificate; SVC_SMTP_TLS=off is only for a relay on this machine or inside.",
  refused:
    "A mail to a prospect would not be tried again. The server's words say whether it is the recipient or SVC_MAIL_FROM that it does not want.",
  unknown:
    "The server had the whole mail and did not answer. Look whether it has arrived; a mail to a prospect would be listed as unknown and not sent again.",
} as const;

function notSetUp(): AppError {
  return new AppError("invalid_input", {
    what: "There is no mail server to try.",
    why: "SVC_SMTP_URL and SVC_MAIL_FROM are not set.",
    fix: 'Set them as the server has them, such as SVC_SMTP_URL="smtps://user:password@mail.example.com" and SVC_MAIL_FROM="Example <hello@example.com>".',
  });
}
