import { AppError } from "#platform";
import { Erased, Erasures } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import { ROWS, parseNumber, parseSessionId } from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { ask } from "../ask.ts";
import { defineCommand, given, optional } from "../command.ts";
import type { Command, Input } from "../command.ts";
import { erase as eraseRoute, listErasures } from "../console/erase-routes.ts";
import { table, tone, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

const erase = defineCommand({
  name: "erase",
  summary: "Erase all that is kept of a person, or one session",
  options: [
    { flags: "--email <address>", summary: "every session of this address" },
    { flags: "--account <account>", summary: "only in this account; in all when left out" },
    { flags: "--session <id>", summary: "this session" },
    { flags: "--yes", summary: "do it; without, it only shows what would go" },
  ],
  examples: [
    ["svc erase --email ada@example.com", "shows what would go, and changes nothing"],
    ["svc erase --email ada@example.com --yes", "erases it, and prints a receipt per account"],
    ["svc erase --session 01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f --yes", "one conversation"],
  ],
  output: Erased,
  run: async (operator, input) =>
    ask(operator, eraseRoute, { body: orderOf(input, input.options["yes"] !== true) }),
  render,
});

export const eraseCommands: Command[] = [erase];

function orderOf(input: Input, dryRun: boolean): types.EraseOrder {
  const sessionId = parseSessionId(optional(input, "session"));
  const email = optional(input, "email");
  const account = optional(input, "account");
  if (sessionId !== undefined && email === undefined && account === undefined) {
    return { session_id: sessionId, dry_run: dryRun };
  }
  if (sessionId !== undefined || email === undefined) throw notSaid();
  return { email, ...(account !== undefined && { account }), dry_run: dryRun };
}

function render({ erased, accounts }: types.Erased, terminal: Terminal): string {
  return [
    table(terminal, accounts, [
      { title: "ACCOUNT", cell: (one) => one.account_name, flexible: true },
      { title: "SESSIONS", cell: (one) => String(one.sessions), align: "right" },
      { title: "FIRST", cell: (one) => ago(terminal, one.first_at) },
      { title: "LAST", cell: (one) => ago(terminal, one.last_at) },
      { title: "GOING ON", cell: (one) => String(one.going_on), align: "right" },
      { title: "NOT YET SENT", cell: (one) => String(one.deliveries_pending), align: "right" },
      ...(erased
        ? [{ title: "RECEIPT", cell: (one: types.ErasedAccount) => one.receipt ?? "" }]
        : []),
    ]),
    "",
    ...(erased ? DONE : TO_DO).map((line) => wrap(line, terminal.width, 0)),
    ...(erased ? [] : [tone(terminal, "strong", "Run it again with --yes to erase.")]),
  ].join("\n");
}

const TO_DO = [
  "Nothing has been changed. Erased sessions are gone from the export, from deliveries and from the queue, and cannot be brought back; a conversation that is going on ends.",
];
const DONE = [
  "Erased. Backups and replicas let go of it as docs/operate/erasure-and-retention.md says.",
  "Customers are not told by an event. What was exported or delivered before is theirs to erase: give them the session ids, which --json prints.",
];

function notSaid(): AppError {
  return new AppError("invalid_input", {
    what: "It is not said whom or what to erase.",
    why: "The command takes --email, with --account if need be, or --session.",
    fix: "Write for example `svc erase --email ada@example.com`: it shows what would go.",
  });
}

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
  output: Erasures,
  run: async (operator, input) => {
    const since = parseSince(input, operator.clock.nowMs());
    return ask(operator, listErasures, {
      query: {
        account: optional(input, "account"),
        since: since?.toISOString(),
        limit: String(parseNumber(given(input, "limit"), "number of rows", ROWS)),
      },
    });
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
          { title: "ACCOUNT", cell: (one) => one.account_name ?? "(removed)", optional: true },
        ]) + (more ? `\n${tone(terminal, "quiet", "There are older ones: raise --limit.")}` : ""),
});

export const erasuresCommands: Command[] = [erasuresList];
