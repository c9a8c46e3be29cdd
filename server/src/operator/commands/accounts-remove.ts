import { findAccount, renameAccount } from "#accounts";
import type { Account } from "#accounts";
import { AppError, transact } from "#platform";
import { accountHoldings, removeAccount } from "#rights";
import * as z from "zod";
import { ACCOUNT, defineCommand, given } from "../command.ts";
import type { Command } from "../command.ts";
import { facts, heading, oneLine, tone, wrap } from "../terminal/terminal.ts";

export const accountsRename: Command = defineCommand({
  name: "accounts rename",
  summary: "Change what you call a customer; the client id stays",
  arguments: [ACCOUNT, { name: "name", summary: "what you call the customer from now on" }],
  examples: [['svc accounts rename acme "Acme Europe"', "tokens and pages go on working"]],
  output: z.strictObject({ client_id: z.string(), from: z.string(), to: z.string() }),
  run: (operator, input) =>
    transact(operator.db(), async (trx) => {
      const account = await findAccount(trx, given(input, "account"));
      const to = await renameAccount(trx, operator.actor, account, given(input, "name"));
      return { client_id: account.clientId, from: account.name, to };
    }),
  render: ({ client_id, from, to }, terminal) =>
    wrap(
      from === to
        ? `Nothing changed: ${client_id} is called ${to} already.`
        : `${from} is called ${to} from now on. Its client id stays ${client_id}.`,
      terminal.width,
      0,
    ),
});

export const accountsRemove: Command = defineCommand({
  name: "accounts remove",
  summary: "Remove a customer with all that is kept for it",
  arguments: [ACCOUNT],
  options: [{ flags: "--yes", summary: "do it; without, it only shows what would go" }],
  examples: [
    ["svc accounts remove acme", "shows what would go, and changes nothing"],
    ["svc accounts remove client_aa4q6s8u2w4y6a8c2e4g6k --yes", "removes it, permanently"],
  ],
  output: z.strictObject({
    removed: z.boolean().describe("False without --yes: nothing was changed"),
    client_id: z.string(),
    name: z.string(),
    agents: z.int(),
    sessions: z.int(),
    going_on: z.int().describe("Conversations that this ends"),
    tokens: z.int().describe("Tokens that work"),
    receivers: z.int(),
    deliveries_pending: z.int().describe("Deliveries that will not be made"),
  }),
  run: async (operator, input) => {
    const db = operator.db();
    const typed = given(input, "account");
    const account = await findAccount(db, typed);
    const held = await accountHoldings(db, account.id);
    const removed = input.options["yes"] === true;
    if (removed) {
      if (!isNamedInFull(account, typed)) throw namedInPart(account, typed);
      const { sessions } = held;
      const tell = (done: number): void =>
        operator.progress(done, Math.max(done, sessions), "sessions removed");
      await removeAccount(db, operator.actor, account, tell);
    }
    return {
      removed,
      client_id: account.clientId,
      name: account.name,
      agents: held.agents,
      sessions: held.sessions,
      going_on: held.goingOn,
      tokens: held.tokens,
      receivers: held.receivers,
      deliveries_pending: held.deliveriesPending,
    };
  },
  render: ({ removed, client_id, name, ...held }, terminal) => {
    const count = (number: number, more = ""): string => `${number.toLocaleString("en")}${more}`;
    const going = held.going_on === 0 ? "" : `, ${count(held.going_on)} of them going on`;
    const pending =
      held.deliveries_pending === 0
        ? ""
        : `, ${count(held.deliveries_pending)} deliveries not sent`;
    return [
      `${heading(terminal, oneLine(name))} ${tone(terminal, "quiet", client_id)}`,
      facts(terminal, [
        ["sessions", count(held.sessions, going)],
        ["agents", count(held.agents)],
        ["tokens", count(held.tokens)],
        ["receivers", count(held.receivers, pending)],
      ]),
      "",
      ...(removed ? DONE : TO_DO).map((line) => wrap(line, terminal.width, 0)),
      ...(removed
        ? []
        : [
            tone(
              terminal,
              "strong",
              `To remove it for good: svc accounts remove ${client_id} --yes`,
            ),
          ]),
    ].join("\n");
  },
});

const TO_DO = [
  "Nothing has been changed. With the account go its sessions, agents, tokens, receivers, settings and counts, and they cannot be brought back; conversations that are going on end.",
];
const DONE = [
  "Removed. The audit keeps who did what, and one entry that says how much there was.",
  "Backups and replicas let go of it as docs/operate/erasure-and-retention.md says. What the customer exported or received before is theirs.",
];

/** The start of a name is enough to look, and too little to remove: another account may begin like that. */
function isNamedInFull({ clientId, name }: Account, typed: string): boolean {
  return [clientId, name.toLowerCase()].includes(typed.trim().toLowerCase());
}

function namedInPart({ name, clientId }: Account, typed: string): AppError {
  return new AppError("invalid_input", {
    what: "The account was not removed.",
    why: `"${typed}" is not its whole name, which is ${name}.`,
    fix: `If that is the one you mean, run \`svc accounts remove ${clientId} --yes\`.`,
  });
}
