import { domainToASCII } from "node:url";
import type { MailContent } from "@svc/rehearsal";
import type { MailedSession } from "./mail-world.ts";

/** The headers that we write. A mail has no others, and none of them twice. */
const OURS = new Set([
  "from",
  "to",
  "subject",
  "message-id",
  "date",
  "auto-submitted",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
]);
const NEEDED = ["from", "to", "subject", "message-id"];

/** What is wrong with a mail that should reach `recipient` and nobody else. */
export function mailFaults(
  recipient: string,
  envelope: { from: string; to: string[] },
  { parsed }: MailContent,
): string[] {
  const names = parsed.headers.map(({ key }) => key);
  const strangers = names.filter((name) => !OURS.has(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const missing = NEEDED.filter((name) => !names.includes(name));
  const to = parsed.to ?? [];
  return [
    ...(envelope.to.length === 1 && envelope.to[0] === recipient
      ? []
      : [`recipients ${JSON.stringify(envelope.to)}`]),
    ...(to.length === 1 && isSame(to[0]?.address, recipient)
      ? []
      : [`To is ${JSON.stringify(to)}`]),
    ...strangers.map((name) => `a header ${JSON.stringify(name)} that is not ours`),
    ...twice.map((name) => `${name} twice`),
    ...missing.map((name) => `no ${name}`),
    ...((parsed.cc ?? parsed.bcc) === undefined ? [] : ["a copy to others"]),
  ];
}

/** A header in UTF-8 has the domain's letters, where the envelope has their ASCII form. */
function isSame(address: string | undefined = "", recipient: string): boolean {
  const at = address.lastIndexOf("@") + 1;
  const inAscii = address.slice(0, at) + domainToASCII(address.slice(at));
  return address === recipient || inAscii === recipient;
}

/** What is wrong with a session's mail, of which so many copies came. */
export function onceFaults({ id, status, state }: MailedSession, copies: number): string[] {
  const checks: [isWrong: boolean, what: string][] = [
    [copies > 1, `${copies} mails`],
    [state === "sent" && copies === 0, "sent, and it never came"],
    [state !== "sent" && state !== "unknown" && copies > 0, `${state}, and it came`],
    [state === null, "no mail was ordered"],
    [state === "waiting" || state === "sending", `left ${state}`],
    [status !== "processed", `the session is ${status}`],
  ];
  return checks.filter(([isWrong]) => isWrong).map(([, what]) => `${id}: ${what}`);
}
