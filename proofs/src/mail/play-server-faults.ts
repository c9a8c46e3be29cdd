import { startMailCatcher } from "@svc/rehearsal";
import type { MailCatcher, MailFault } from "@svc/rehearsal";
import { createSmtpMail, MailError } from "@svc/server/testing";

type Outcome = "sent" | MailError["outcome"];

/** A way for a mail server to fail, what a sender must make of it, and whether the mail may be there nevertheless. */
interface Case {
  what: string;
  fault?: MailFault;
  outcome: Outcome;
  /** Mails in the inbox afterwards. */
  arrived: 0 | 1;
}

const reply = (status: number, at: NonNullable<MailFault["at"]>): MailFault => ({
  kind: "reply",
  status,
  at,
});

// D7
const CASES: Case[] = [
  { what: "all well", outcome: "sent", arrived: 1 },
  ...(["greeting", "sender", "recipient", "message"] as const).map((at): Case => ({
    what: `4xx at the ${at}`,
    fault: reply(451, at),
    outcome: "later",
    arrived: 0,
  })),
  ...(["sender", "recipient", "message"] as const).map((at): Case => ({
    what: `5xx at the ${at}`,
    fault: reply(550, at),
    outcome: "refused",
    arrived: 0,
  })),
  ...(["greeting", "sender", "recipient"] as const).flatMap((at): Case[] =>
    (["silent", "drip", "cut"] as const).map((kind) => ({
      what: `${kind} at the ${at}`,
      fault: { kind, at },
      outcome: "later",
      arrived: 0,
    })),
  ),
  ...(["silent", "drip", "cut"] as const).map((kind): Case => ({
    what: `${kind} after the message`,
    fault: { kind },
    outcome: "unknown",
    arrived: 1,
  })),
  { what: "slow", fault: { kind: "late", afterMs: 300 }, outcome: "sent", arrived: 1 },
  ...(["no_starttls", "tls_expired", "tls_self_signed", "tls_wrong_host"] as const).map(
    (kind): Case => ({ what: kind, fault: { kind }, outcome: "later", arrived: 0 }),
  ),
];

/** Shorter than the product's own: a proof cannot wait two minutes for each that drips. */
const TIME_LIMITS = { connectMs: 1_000, silenceMs: 1_500, overallMs: 2_500 };
const RECIPIENT = "ada@customer.test";
/** Each makes certificates, which takes longer than most cases. */
const CATCHERS = 5;

/** Sends a mail, which must be encrypted, to a server that fails in one way after the other. Tells what came out otherwise than it must. */
export async function playServerFaults(
  onEnd: (clean: () => unknown) => void,
): Promise<{ cases: number; faults: string[] }> {
  const left = [...CASES];
  const lanes = Array.from({ length: CATCHERS }, async () => {
    const catcher = await startMailCatcher({ tls: {} });
    onEnd(() => catcher.close());
    const faults: string[] = [];
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      faults.push(...(await play(catcher, one)));
    }
    return faults;
  });
  const faults = (await Promise.all(lanes)).flat();
  const nobody = await startMailCatcher();
  await nobody.close();
  const away = await send(nobody);
  if (away !== "later") faults.push(`nobody there: ${away}`);
  return { cases: CASES.length + 1, faults };
}

async function play(catcher: MailCatcher, one: Case): Promise<string[]> {
  const { what, fault, outcome, arrived } = one;
  catcher.setFaults(fault === undefined ? [] : [fault]);
  const before = catcher.counts();
  const came = await send(catcher);
  const mails = catcher.mails(before.mails);
  const isNamed = catcher.counts().recipients > before.recipients;
  return [
    ...(came === outcome ? [] : [`${what}: ${came}, not ${outcome}`]),
    ...(mails.length === arrived ? [] : [`${what}: ${mails.length} mails`]),
    ...(mails.every(({ isEncrypted }) => isEncrypted) ? [] : [`${what}: in clear`]),
    ...(what.includes("tls") && isNamed ? [`${what}: the recipient in clear`] : []),
  ];
}

async function send({ smtpUrl, secure }: MailCatcher): Promise<Outcome> {
  const mail = createSmtpMail({
    url: smtpUrl,
    from: { address: "hello@svc.test" },
    tls: "required",
    ...(secure && { trustedCertificates: secure.authority }),
    timeLimits: TIME_LIMITS,
  });
  try {
    await mail.send({ to: RECIPIENT, subject: "Hello", text: "Hello." });
    return "sent";
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    if (error.reason.includes("ada"))
      throw new Error(`an address in: ${error.reason}`, { cause: error });
    return error.outcome;
  }
}
