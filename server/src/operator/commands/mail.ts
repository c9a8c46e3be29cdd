import { findAccount } from "#accounts";
import { FOLLOW_UP_STATES, followUpOf, listFollowUps } from "#followup";
import type { FollowUpState } from "#followup";
import { AppError } from "#platform";
import { MailRow } from "@svc/contract/schemas";
import * as z from "zod";
import { ROWS, parseNumber, parseSessionId } from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { defineCommand, given, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { mailTable, renderMail, toMailRow } from "../pages/mail-page.ts";
import { tone, wrap } from "../terminal/terminal.ts";
import { mailAllow, mailSuppress, mailSuppressed } from "./mail-suppress.ts";
import { mailTest } from "./mail-test.ts";

const mailList = defineCommand({
  name: "mail list",
  summary: "List the mails to prospects, the newest first",
  options: [
    { flags: "--account <account>", summary: "only of this account" },
    { flags: "--state <state>", summary: "only in this state", choices: FOLLOW_UP_STATES },
    { flags: "--since <time>", summary: "only ordered since then: 24h, 7d or 2026-11-01" },
    { flags: "--limit <rows>", summary: "how many at most", default: "20" },
  ],
  examples: [
    ["svc mail list --account acme", "the newest 20 of a customer"],
    ["svc mail list --state unknown", "those that may or may not have arrived"],
  ],
  output: z.strictObject({ mails: z.array(MailRow), more: z.boolean() }),
  run: async (operator, input) => {
    const db = operator.db();
    const limit = parseNumber(given(input, "limit"), "number of rows", ROWS)!;
    const since = parseSince(input, operator.clock.nowMs());
    const state = optional(input, "state") as FollowUpState | undefined;
    const account = optional(input, "account");
    const found = await listFollowUps(db, {
      ...(account !== undefined && { accountId: (await findAccount(db, account)).id }),
      ...(state !== undefined && { state }),
      ...(since !== undefined && { since }),
      limit: limit + 1,
    });
    return { mails: found.slice(0, limit).map(toMailRow), more: found.length > limit };
  },
  render: ({ mails, more }, terminal) =>
    mails.length === 0
      ? wrap(
          "No mail fits. One is ordered when a session with an address is evaluated, where the account has mails on: `svc accounts set <account> --follow-up on`.",
          terminal.width,
          0,
        )
      : [
          mailTable(terminal, mails),
          ...(more ? [tone(terminal, "quiet", "There are older ones: raise --limit.")] : []),
        ].join("\n"),
});

const mailShow = defineCommand({
  name: "mail show",
  summary: "Show how it stands with the mail of one session",
  arguments: [{ name: "session", summary: "the session's id" }],
  examples: [
    ["svc mail show 01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f", "whether it went out, and if not, why"],
  ],
  output: MailRow,
  run: async (operator, input) => {
    const id = parseSessionId(given(input, "session"))!;
    const found = await followUpOf(operator.db(), id);
    if (found !== undefined) return toMailRow(found);
    throw new AppError("not_found", {
      what: `No mail was ordered for session ${id}.`,
      why: "One is, when a session is evaluated for the first time, its account has mails on, its agent does not switch them off, and it has an address whose domain accepts mail. A test session or an imported one gets none.",
      fix: `Run \`svc sessions show ${id}\` to see which it is.`,
    });
  },
  render: renderMail,
});

export const mailCommands: Command[] = [
  mailList,
  mailShow,
  mailTest,
  mailSuppress,
  mailAllow,
  mailSuppressed,
];
