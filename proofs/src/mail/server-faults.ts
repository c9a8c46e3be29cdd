import { startMailCatcher } from "@svc/rehearsal";
import type { MailCatcher, MailFault } from "@svc/rehearsal";
import { createSmtpMail, MailError } from "@svc/server/testing";

type Outcome = "sent" | MailError["outcome"];

/** A way for a mail server to fail, what a sender must make of it, and how many mails are in the inbox nevertheless. */
interface Case {
  fault?: MailFault;
  outcome: Outcome;
  arrived: 0 | 1;
}

const STAGES = ["greeting", "sender", "recipient"] as const;
const HANGS = ["silent", "drip", "cut"] as const;
const TLS_FAULTS = ["no_starttls", "tls_expired", "tls_self_signed", "tls_wrong_host"] as const;
const fails = (fault: MailFault, outcome: Outcome): Case => ({ fault, outcome, arrived: 0 });

const CASES: Case[] = [
  { outcome: "sent", arrived: 1 },
  { fault: { kind: "late", afterMs: 300 }, outcome: "sent", arrived: 1 },
  ...([...STAGES, "message"] as const).map((at) =>
    fails({ kind: "reply", status: 451, at }, "later"),
  ),
  ...(["sender", "recipient", "message"] as const).map((at) =>
    fails({ kind: "reply", status: 550, at }, "refused"),
  ),
  ...STAGES.flatMap((at) => HANGS.map((kind) => fails({ kind, at }, "later"))),
  // After the message: the mail may be there.
  ...HANGS.map((kind): Case => ({ fault: { kind }, outcome: "unknown", arrived: 1 })),
  ...TLS_FAULTS.map((kind) => fails({ kind }, "later")),
];

/** Shorter than the product's own: a claim cannot wait two minutes for each server that drips. */
const TIME_LIMITS = { connectMs: 1_000, silenceMs: 1_500, overallMs: 2_500 };
/** Each makes certificates, which takes longer than most cases. */
const CATCHERS = 5;

/** Sends a mail, which must be encrypted, to a server that fails in one way after the other. */
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
  const absent = await startMailCatcher();
  await absent.close();
  const outcome = await send(absent);
  if (outcome !== "later") faults.push(`no server: ${outcome}`);
  return { cases: CASES.length + 1, faults };
}

async function play(catcher: MailCatcher, { fault, outcome, arrived }: Case): Promise<string[]> {
  catcher.setFaults(fault === undefined ? [] : [fault]);
  const before = catcher.counts();
  const came = await send(catcher);
  const mails = catcher.mails(before.mails);
  const isNamed = catcher.counts().recipients > before.recipients;
  const checks: [isWrong: boolean, what: string][] = [
    [came !== outcome, `${came}, not ${outcome}`],
    [mails.length !== arrived, `${mails.length} mails`],
    [mails.some(({ isEncrypted }) => !isEncrypted), "in clear"],
    [fault?.kind.includes("tls") === true && isNamed, "the recipient in clear"],
  ];
  return checks
    .filter(([isWrong]) => isWrong)
    .map(([, what]) => `${JSON.stringify(fault)}: ${what}`);
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
    await mail.send({ to: "ada@customer.test", subject: "Hello", text: "Hello." });
    return "sent";
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    if (error.reason.includes("ada"))
      throw new Error(`an address in: ${error.reason}`, { cause: error });
    return error.outcome;
  }
}
