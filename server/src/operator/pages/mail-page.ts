import type { FollowUpState, ListedFollowUp, SkipReason } from "#followup";
import type { MailRow } from "@svc/contract/types";
import { facts, heading, table, wrap } from "../terminal/terminal.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { ago, moment } from "../terminal/times.ts";

/** Mails as rows, and below them what to do about those that need somebody. */
export function mailTable(terminal: Terminal, rows: MailRow[]): string {
  const shown = table(terminal, rows, [
    { title: "SESSION", cell: (one) => one.session_id },
    { title: "ORDERED", cell: (one) => ago(terminal, one.created_at) },
    { title: "STATE", cell: (one) => one.state, tone: (one) => STATE_TONE[one.state] },
    { title: "TRIES", cell: (one) => String(one.attempts), align: "right" },
    { title: "BECAUSE", cell: (one) => one.reason ?? "", flexible: true },
    { title: "ACCOUNT", cell: (one) => one.account_name, optional: true },
  ]);
  const notes = NOTES.filter(([state]) => rows.some((one) => one.state === state));
  return [
    shown,
    ...(notes.length === 0 ? [] : [""]),
    ...notes.map(([state, note]) => wrap(`${state}: ${note}`, terminal.width, 0)),
  ].join("\n");
}

const NOTES: [FollowUpState, string][] = [
  [
    "unknown",
    "it was handed over and no answer came, so it may have arrived. It is not sent again; `svc mail show <session>` tells what to look for.",
  ],
  [
    "refused",
    "the mail server said no. `svc mail test --to <address>` tells whether it takes any.",
  ],
];

const STATE_TONE: Record<FollowUpState, Tone> = {
  waiting: "warn",
  sending: "warn",
  sent: "good",
  refused: "bad",
  unknown: "bad",
  skipped: "quiet",
};

/** The mail of one session: how it stands, and what to do. */
export function renderMail(mail: MailRow, terminal: Terminal): string {
  return [
    heading(terminal, `Mail of session ${mail.session_id}`),
    facts(terminal, [
      ["state", `${mail.state}: ${mailWords(mail, terminal)}`, STATE_TONE[mail.state]],
      ["account", `${mail.account_name} (${mail.client_id})`],
      ["ordered", moment(terminal, mail.created_at)],
      ["tries", String(mail.attempts)],
      ["finished", moment(terminal, mail.finished_at)],
      ["do", whatToDo(mail)],
    ]),
  ].join("\n");
}

/** Returns the words that explain the state of a mail. */
export function mailWords(
  mail: Omit<MailRow, "client_id" | "account_name">,
  terminal: Terminal,
): string {
  const { reason = "" } = mail;
  switch (mail.state) {
    case "waiting":
      return waitingWords(mail, terminal);
    case "sending":
      return "it is being handed over to the mail server";
    case "sent":
      return `the mail server took it ${ago(terminal, mail.finished_at!)}`;
    case "refused":
      return `the mail server did not take it: ${reason}`;
    case "unknown":
      return `it may have arrived: ${reason}`;
    case "skipped":
      return SKIPPED[reason as SkipReason] ?? reason;
  }
}

function waitingWords(
  { reason, due_at: due }: Pick<MailRow, "reason" | "due_at">,
  terminal: Terminal,
): string {
  if (reason === undefined) return "it goes out in a moment";
  const next = Date.parse(due!) <= terminal.nowMs ? "in a moment" : ago(terminal, due!);
  return `it is tried again ${next}; the last try: ${reason}`;
}

const SKIPPED: Record<SkipReason, string> = {
  mail_not_set_up: "there is no mail server (SVC_SMTP_URL)",
  switched_off: "the account had switched mails off by then",
  domain_takes_no_mail: "the domain of the address accepts no mail",
  suppressed: "this person wants no mail of the account",
  limit:
    "the mailbox, the visitor or the account had had its mails for the day (limits daily_mails_per_…; 10 to a mailbox from all accounts)",
  too_late: "a day had passed since it was ordered",
  restored:
    "the session came from a restored backup (svc db restored), and the mail may have been sent before",
  not_written: "five runs went down before it could be sent; the pipeline's log tells why",
};

function whatToDo({ state, session_id: id, reason }: MailRow): string | undefined {
  if (state === "unknown") {
    return `Search your mail server's log for the Message-ID follow-up.${id}. If the mail is not there, it did not arrive; it is not sent again either way.`;
  }
  if (state === "skipped" && reason === "mail_not_set_up") {
    return "Set SVC_SMTP_URL and SVC_MAIL_FROM for the pipeline; svc mail test --to <address> tries them.";
  }
  return state === "refused"
    ? "svc mail test --to <address> tells whether it takes any"
    : undefined;
}

export function toMailRow(mail: ListedFollowUp): MailRow {
  const { reason, finishedAt } = mail;
  return {
    session_id: mail.sessionId,
    state: mail.state,
    ...(reason !== null && { reason }),
    client_id: mail.clientId,
    account_name: mail.accountName,
    attempts: mail.attempts,
    created_at: mail.createdAt.toISOString(),
    ...(mail.state === "waiting" && { due_at: mail.dueAt.toISOString() }),
    ...(finishedAt !== null && { finished_at: finishedAt.toISOString() }),
  };
}
