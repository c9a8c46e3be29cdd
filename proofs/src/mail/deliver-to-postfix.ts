import { createSmtpMail, mailHeaders, MailError, normalizeEmail } from "@svc/server/testing";
import type { MailSettings } from "@svc/server/testing";
import fc from "fast-check";
import { addresses } from "./hostile-mails.ts";
import { POSTFIX_DOMAIN, startOwnPostfix } from "./own-postfix.ts";

export interface PostfixTally {
  sent: number;
  refused: number;
  faults: string[];
}

const AT_ONCE = 20;

/** Mails to hostile addresses at a real mail server's domain, and what then lies in its mailbox. */
export async function deliverToPostfix(
  count: number,
  seed: number,
  onEnd: (clean: () => unknown) => void,
): Promise<PostfixTally> {
  const postfix = await startOwnPostfix();
  onEnd(() => postfix.stop());
  const chosen = drawRecipients(count, seed);
  const sent = new Map<string, string>();
  for (let from = 0; from < chosen.length; from += AT_ONCE) {
    await Promise.all(
      chosen.slice(from, from + AT_ONCE).map(async (to, index) => {
        const id = `${from + index}@${POSTFIX_DOMAIN}`;
        if (await isTaken(postfix.url, to, id)) sent.set(`<${id}>`, to);
      }),
    );
  }
  const tally = { sent: sent.size, refused: chosen.length - sent.size };
  const faults: string[] = [];
  for (const raw of await postfix.mailbox(sent.size)) {
    const lines = raw.toString("latin1").replaceAll("\n", "\r\n");
    const headers = mailHeaders(Buffer.from(lines, "latin1"));
    const values = (wanted: string): string[] =>
      headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
    const [id = ""] = values("message-id");
    const meant = sent.get(id);
    const [reached = ""] = values("x-original-to");
    // The mailbox has bytes where the address has letters.
    if (Buffer.from(reached, "latin1").toString() !== meant) {
      faults.push(`${id}, meant for ${meant}, reached ${reached}`);
    }
    for (const name of ["to", "subject", "x-original-to"]) {
      if (values(name).length !== 1) faults.push(`${meant}: ${values(name).length} times ${name}`);
    }
    for (const name of ["cc", "bcc"]) if (values(name).length > 0) faults.push(`${meant}: ${name}`);
    sent.delete(id);
  }
  faults.push(...[...sent.values()].map((to) => `${to}: no mail`));
  return { ...tally, faults };
}

/** Addresses that the product would store, all at Postfix's domain and none twice. */
function drawRecipients(count: number, seed: number): string[] {
  const drawn = fc.sample(addresses, { numRuns: count * 10, seed });
  const stored = drawn.flatMap(
    (address) => normalizeEmail(address.replace(/@[^@]*$/, `@${POSTFIX_DOMAIN}`)) ?? [],
  );
  return [...new Set(stored)].slice(0, count);
}

async function isTaken(url: string, to: string, messageId: string): Promise<boolean> {
  const settings: MailSettings = { url, from: { address: `hello@${POSTFIX_DOMAIN}` }, tls: "off" };
  try {
    await createSmtpMail(settings).send({
      to,
      subject: `Your conversation with\r\nBcc: eve@${POSTFIX_DOMAIN}`,
      text: "Hello.\n.\nRCPT TO:<eve@evil.test>\n",
      messageId,
    });
    return true;
  } catch (error) {
    if (error instanceof MailError && error.outcome === "refused") return false;
    throw error;
  }
}
