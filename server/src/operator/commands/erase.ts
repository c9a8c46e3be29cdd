import { findAccount } from "#accounts";
import { AppError, createLog } from "#platform";
import { createRights, listReceipts } from "#rights";
import type { Erasure, Holdings, Rights } from "#rights";
import * as z from "zod";
import { ROWS, parseNumber, parseSessionId } from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { defineCommand, given, optional } from "../command.ts";
import type { Command, Input } from "../command.ts";
import type { Operator } from "../operator.ts";
import { table, tone, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

const Output = z.strictObject({
  erased: z.boolean().describe("False without --yes: nothing was changed"),
  accounts: z.array(
    z.strictObject({
      client_id: z.string(),
      account_name: z.string(),
      receipt: z.uuid().exactOptional().describe("Absent when nothing was erased"),
      sessions: z.int(),
      session_ids: z.array(z.uuid()).describe("For telling the customer, who may have copies"),
      going_on: z.int().describe("Conversations that this ends"),
      deliveries_pending: z.int().describe("Deliveries that will not be made"),
      first_at: z.iso.datetime(),
      last_at: z.iso.datetime(),
    }),
  ),
});
type Output = z.infer<typeof Output>;

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
  output: Output,
  run: async (operator, input) => {
    const rights = createRights({ db: operator.db(), log: createLog("silent") });
    const whose = await whoseData(operator, input);
    const holdings = await rights.lookUp(whose);
    if (holdings.length === 0) throw nothingKept(whose);
    if (input.options["yes"] !== true) return { erased: false, accounts: holdings.map(toGo) };
    const erasures = await eraseAll(rights, whose, `operator:${operator.actor}`);
    return { erased: true, accounts: erasures.flatMap((one) => gone(one, holdings)) };
  },
  render,
});

export const eraseCommands: Command[] = [erase];

type Whose = { sessionId: string } | { email: string; accountId?: number };

async function whoseData(operator: Operator, input: Input): Promise<Whose> {
  const sessionId = parseSessionId(optional(input, "session"));
  const email = optional(input, "email");
  const account = optional(input, "account");
  if (sessionId !== undefined && email === undefined && account === undefined) return { sessionId };
  if (sessionId !== undefined || email === undefined) throw notSaid();
  if (account === undefined) return { email };
  return { email, accountId: (await findAccount(operator.db(), account)).id };
}

async function eraseAll(
  rights: Rights,
  whose: Whose,
  askedBy: `operator:${string}`,
): Promise<Erasure[]> {
  return "sessionId" in whose
    ? [await rights.eraseSession({ ...whose, askedBy })]
    : rights.erasePerson({ ...whose, askedBy });
}

function toGo(held: Holdings): Output["accounts"][number] {
  return {
    client_id: held.clientId,
    account_name: held.accountName,
    sessions: held.sessionIds.length,
    session_ids: held.sessionIds,
    going_on: held.goingOn,
    deliveries_pending: held.deliveriesPending,
    first_at: held.firstAt.toISOString(),
    last_at: held.lastAt.toISOString(),
  };
}

/** The receipt's own figures, over what the look before it found. */
function gone(erasure: Erasure, holdings: Holdings[]): Output["accounts"] {
  const held = holdings.filter(({ accountId }) => accountId === erasure.accountId);
  return held.map((one) => ({
    ...toGo(one),
    receipt: erasure.id,
    sessions: erasure.sessions,
    session_ids: erasure.sessionIds,
    deliveries_pending: erasure.deliveriesCancelled,
  }));
}

function render({ erased, accounts }: Output, terminal: Terminal): string {
  return [
    table(terminal, accounts, [
      { title: "ACCOUNT", cell: (one) => one.account_name, flexible: true },
      { title: "SESSIONS", cell: (one) => String(one.sessions), align: "right" },
      { title: "FIRST", cell: (one) => ago(terminal, one.first_at) },
      { title: "LAST", cell: (one) => ago(terminal, one.last_at) },
      { title: "GOING ON", cell: (one) => String(one.going_on), align: "right" },
      { title: "NOT YET SENT", cell: (one) => String(one.deliveries_pending), align: "right" },
      ...(erased
        ? [{ title: "RECEIPT", cell: (one: Output["accounts"][number]) => one.receipt ?? "" }]
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

function nothingKept(whose: Whose): AppError {
  return new AppError("not_found", {
    what:
      "sessionId" in whose
        ? `There is no session ${whose.sessionId}.`
        : "Nothing is kept of that address.",
    why: "It never was here, or has been erased. An address that was only spoken or typed into another field does not lead to a session.",
    fix: "Look for the session with `svc sessions list`, and erase it with --session.",
  });
}

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
  output: z.strictObject({
    erasures: z.array(
      z.strictObject({
        receipt: z.uuid(),
        at: z.iso.datetime(),
        client_id: z.string().exactOptional().describe("Absent when the account was removed"),
        account_name: z.string().exactOptional(),
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
    const found = await listReceipts(operator.db(), {
      ...(account !== undefined && { accountId: (await findAccount(operator.db(), account)).id }),
      ...(since !== undefined && { since }),
      limit: limit + 1,
    });
    return {
      erasures: found.slice(0, limit).map((one) => ({
        receipt: one.id,
        at: one.at.toISOString(),
        ...(one.clientId !== null && { client_id: one.clientId }),
        ...(one.accountName !== null && { account_name: one.accountName }),
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
          { title: "ACCOUNT", cell: (one) => one.account_name ?? "(removed)", optional: true },
        ]) + (more ? `\n${tone(terminal, "quiet", "There are older ones: raise --limit.")}` : ""),
});

export const erasuresCommands: Command[] = [erasuresList];
