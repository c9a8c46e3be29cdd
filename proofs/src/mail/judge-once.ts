import type { MailedSession } from "./mailed-sessions.ts";

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
