import { findAccount, readSettings } from "#accounts";
import { findAgent, removeAgent } from "#agents";
import { transact } from "#platform";
import { countOfAgent } from "#sessions";
import * as z from "zod";
import { defineCommand, given } from "../../command.ts";
import type { Command } from "../../command.ts";
import { facts, heading, oneLine, tone, wrap } from "../../terminal/terminal.ts";

export const agentsRemove: Command = defineCommand({
  name: "agents remove",
  summary: "Remove an agent; its sessions stay",
  arguments: [{ name: "agent", summary: "its id, or its folder's name" }],
  options: [{ flags: "--yes", summary: "do it; without, it only shows what would change" }],
  examples: [
    ["svc agents remove guide", "shows what would change, and changes nothing"],
    ["svc agents remove guide --yes", "pages that name it get agent_unknown"],
  ],
  output: z.strictObject({
    removed: z.boolean().describe("False without --yes: nothing was changed"),
    id: z.string(),
    slug: z.string(),
    account: z.string(),
    sessions: z.int().describe("They stay, and stay exported"),
    going_on: z.int().describe("Conversations that continue"),
    is_default: z.boolean().describe("Whether the account had it as its default agent"),
  }),
  run: (operator, input) =>
    transact(operator.db(), async (trx) => {
      const agent = await findAgent(trx, given(input, "agent"));
      const account = await findAccount(trx, String(agent.accountId));
      const { defaultAgentId } = await readSettings(trx, account.id);
      const { sessions, goingOn } = await countOfAgent(trx, agent.id, account.id);
      const removed = input.options["yes"] === true;
      if (removed) await removeAgent(trx, operator.actor, agent);
      return {
        removed,
        id: agent.id,
        slug: agent.slug,
        account: account.name,
        sessions,
        going_on: goingOn,
        is_default: defaultAgentId === agent.id,
      };
    }),
  render: ({ removed, id, slug, account, sessions, going_on, is_default }, terminal) =>
    [
      `${heading(terminal, slug)} ${tone(terminal, "quiet", id)}`,
      facts(terminal, [
        ["account", oneLine(account)],
        ["sessions", `${sessions.toLocaleString("en")}, which stay as they are`],
        ["going on", going_on === 0 ? undefined : `${going_on}, which continue`],
        [
          "default agent",
          is_default ? `${removed ? "was" : "is"} it; the account then has none` : undefined,
        ],
      ]),
      "",
      ...(removed ? DONE : TO_DO).map((line) => wrap(line, terminal.width, 0)),
      ...(removed ? [] : [tone(terminal, "strong", "Run it again with --yes to remove it.")]),
    ].join("\n"),
});

const TO_DO = [
  "Nothing has been changed. Pages that name a removed agent get agent_unknown, and it is no longer listed. Its sessions stay in the export, and its versions stay for them.",
];
const DONE = [
  "Removed. Take the snippet off pages that name it. `svc agents apply` with its folder brings it back under the same id.",
];
