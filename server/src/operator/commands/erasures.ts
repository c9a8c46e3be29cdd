import { findAccount } from "#accounts";
import { selectReceipts } from "#rights";
import * as z from "zod";
import { defineCommand, given, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { parseNumber, ROWS } from "../arguments/parse-number.ts";
import { parseSince } from "../arguments/parse-since.ts";
import { table, tone } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

const erasuresList = defineCommand({
  name: "erasures list",
  summary: "List receipts of what was erased, the newest first",
  options: [
    { flags: "--account <account>", summary: "only of this account" },
    { flags: "--since <time>", summary: "only since then: 24h, 7d or 2026-11-01" },
    { flags: "--limit <rows>", summary: "how many at most", default: "20" },
  ],
  examples: [
    ["svc erasures list", "the last 20"],
    ["svc erasures list --account acme --since 30d", "one customer's last month"],
  ],
  output: z.strictObject({
    erasures: z.array(
      z.strictObject({
        receipt: z.uuid(),
        at: z.iso.datetime(),
        client_id: z.string(),
        account_name: z.string(),
        scope: z.enum(["person", "session", "retention"]),
        asked_by: z.string(),
        sessions: z.int(),
        deliveries_cancelled: z.int(),
      }),
    ),
    more: z.boolean(),
  }),
  run: async (operator, input) => {
    const limit = parseNumber(given(input, "limit"), "number of rows", ROWS)!;
    const since = parseSince(input, operator.clock.nowMs());
    const account = optional(input, "account");
    const found = await selectReceipts(operator.db(), {
      ...(account !== undefined && { accountId: (await findAccount(operator.db(), account)).id }),
      ...(since !== undefined && { since }),
      limit: limit + 1,
    });
    return {
      erasures: found.slice(0, limit).map((one) => ({
        receipt: one.id,
        at: one.at.toISOString(),
        client_id: one.clientId,
        account_name: one.accountName,
        scope: one.scope,
        asked_by: one.askedBy,
        sessions: one.sessions,
        deliveries_cancelled: one.deliveriesCancelled,
      })),
      more: found.length > limit,
    };
  },
  render: ({ erasures, more }, terminal) =>
    erasures.length === 0
      ? "Nothing was erased. A receipt says when, how much and on whose word; never of whom."
      : table(terminal, erasures, [
          { title: "RECEIPT", cell: (one) => one.receipt },
          { title: "WHEN", cell: (one) => ago(terminal, one.at) },
          { title: "WHAT", cell: (one) => one.scope },
          { title: "ASKED BY", cell: (one) => one.asked_by, flexible: true },
          { title: "SESSIONS", cell: (one) => String(one.sessions), align: "right" },
          { title: "ACCOUNT", cell: (one) => one.account_name, optional: true },
        ]) + (more ? `\n${tone(terminal, "quiet", "There are older ones: raise --limit.")}` : ""),
});

export const erasuresCommands: Command[] = [erasuresList];
