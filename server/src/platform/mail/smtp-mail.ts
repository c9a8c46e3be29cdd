import type { MailSettings } from "./mail-settings.ts";
import { MailError, isOneAddress } from "./mail.ts";
import type { Mail, MailMessage } from "./mail.ts";
import { handOver } from "./smtp-mail-handover.ts";

/**
 * Mail through a mail server, a connection each.
 *
 * @param onAnswer told what the server said as it took one.
 */
export function createSmtpMail(
  settings: MailSettings,
  onAnswer: (answer: string) => void = () => undefined,
): Mail {
  let writer: ReturnType<typeof loadWriter> | undefined;
  return {
    async send(message) {
      if (!isOneAddress(message.to)) throw new MailError("refused", "not one plain address");
      writer ??= loadWriter(settings);
      const { message: bytes } = await (await writer).sendMail(written(settings, message));
      if (!Buffer.isBuffer(bytes)) throw new Error("the message was not written");
      onAnswer(await handOver(settings, message.to, bytes));
    },
  };
}

/**
 * Loaded with the first mail: a command of the operator should not wait a quarter of a second for
 * it. It only writes the message. Sent by nodemailer's own transport, nobody could tell whether a
 * connection was lost before or after the server had it all.
 */
async function loadWriter({ dkim }: MailSettings) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    streamTransport: true,
    buffer: true,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim: signature(dkim) }),
  });
}

function written({ from }: MailSettings, message: MailMessage): object {
  const { to, subject, text, html, fromName = from.name, messageId, headers } = message;
  return {
    from: { name: oneLine(fromName ?? ""), address: from.address },
    // An object: a string is read as a list, and a comma in it makes two recipients.
    to: { name: "", address: to },
    subject: oneLine(subject),
    text,
    ...(html !== undefined && { html }),
    ...(messageId !== undefined && { messageId: `<${messageId}>` }),
    headers: {
      // Without it holiday notices would answer.
      "Auto-Submitted": "auto-generated",
      ...Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [
          name,
          // The value is sent as it is: encoded or folded inside a link, one-click would not be recognised.
          { prepared: true, foldLines: false, value: oneLine(value) },
        ]),
      ),
    },
    xMailer: false,
  };
}

/** A line break in a header would begin the next one. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** One-click unsubscribing counts only where its two headers are signed (RFC 8058). */
const SIGNED_HEADERS =
  "From:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post";

function signature({ domain, selector, key }: NonNullable<MailSettings["dkim"]>): {
  domainName: string;
  keySelector: string;
  privateKey: string;
  headerFieldNames: string;
} {
  return {
    domainName: domain,
    keySelector: selector,
    privateKey: key,
    headerFieldNames: SIGNED_HEADERS,
  };
}
