import {
  addAccount,
  DEFAULT_LIMITS,
  EXPORT_MODES,
  findAccount,
  LIMIT_NAMES,
  listTokens,
  readSettings,
} from "#accounts";
import type { ExportMode } from "#accounts";
import { transact } from "#platform";
import { countSessions, exportHold } from "#sessions";
import { ConsoleAccounts, Edge, ListedToken } from "@svc/contract/schemas";
import type { Edge as ExportEdge } from "@svc/contract/types";
import * as z from "zod";
import { ask } from "../ask.ts";
import { ACCOUNT, defineCommand, given } from "../command.ts";
import type { Command } from "../command.ts";
import { listSeenAccounts } from "../console/account-routes.ts";
import { toListedToken } from "../console/token-routes.ts";
import { edgeWords, toEdge } from "../pages/export-edge.ts";
import { facts, heading, table, tone } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";
import { accountsRemove, accountsRename } from "./accounts-remove.ts";
import { accountsSet, settingWords } from "./accounts-set.ts";
import { tokenTable } from "./tokens.ts";

const accountsAdd = defineCommand({
  name: "accounts add",
  summary: "Add a customer",
  arguments: [{ name: "name", summary: "what you call the customer" }],
  examples: [['svc accounts add "Acme"', "prints the client id"]],
  output: z.strictObject({ id: z.int(), client_id: z.string(), name: z.string() }),
  run: async (operator, input) => {
    const { id, clientId, name } = await transact(operator.db(), (trx) =>
      addAccount(trx, operator.actor, operator.cell(), given(input, "name")),
    );
    return { id, client_id: clientId, name };
  },
  render: ({ client_id, name }, terminal) =>
    `Added ${name}.\n\n${facts(terminal, [
      ["client id", client_id],
      ["next", `svc tokens issue ${client_id} --label "first token"`],
    ])}`,
});

const accountsList = defineCommand({
  name: "accounts list",
  summary: "List the customers",
  examples: [["svc accounts list", "shows all, the oldest first"]],
  output: ConsoleAccounts,
  run: (operator) => ask(operator, listSeenAccounts),
  render: ({ accounts }, terminal) =>
    accounts.length === 0
      ? 'No accounts yet. Add one: svc accounts add "Acme"'
      : table(terminal, accounts, [
          { title: "NO", cell: (one) => String(one.id), align: "right" },
          { title: "NAME", cell: (one) => one.name, flexible: true },
          { title: "CLIENT ID", cell: (one) => one.client_id },
          {
            title: "TOKENS",
            cell: (one) => String(one.working_tokens),
            align: "right",
            tone: (one) => (one.working_tokens === 0 ? "warn" : undefined),
          },
          {
            title: "LAST SESSION",
            cell: ({ last_session_at: at }) => (at === undefined ? "none yet" : ago(terminal, at)),
          },
          { title: "ADDED", cell: (one) => ago(terminal, one.created_at), optional: true },
          { title: "EXPORT", cell: (one) => one.export_mode, optional: true },
        ]),
});

const Limits = z.strictObject(
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, z.int().nullable()])),
);

const accountsShow = defineCommand({
  name: "accounts show",
  summary: "Show one customer: settings, tokens, sessions, and what holds the export",
  arguments: [ACCOUNT],
  examples: [
    ["svc accounts show acme", "finds it by the start of its name"],
    ["svc accounts show 3 --json", "the same for programs, by number"],
  ],
  output: z.strictObject({
    id: z.int(),
    client_id: z.string(),
    name: z.string(),
    settings: z.strictObject({
      export_mode: z.enum(EXPORT_MODES),
      default_agent: z.string().exactOptional(),
      contact: z.string().exactOptional(),
      retention_days: z.int(),
      follow_up: z.boolean(),
      confirm_transcript: z.boolean(),
      limits: Limits,
    }),
    tokens: z.array(ListedToken),
    sessions: z.strictObject({
      active: z.int(),
      last_24_hours: z.strictObject({
        abandoned: z.int(),
        processed: z.int(),
        error: z.int(),
      }),
    }),
    edge: Edge.exactOptional(),
  }),
  run: async (operator, input) => {
    const db = operator.db();
    const { id, clientId, name } = await findAccount(db, given(input, "account"));
    const settings = await readSettings(db, id);
    const { active, ...settled } = await countSessions(db, id);
    const hold = await exportHold(db, id);
    return {
      id,
      client_id: clientId,
      name,
      settings: {
        export_mode: settings.exportMode,
        ...(settings.defaultAgentId !== null && { default_agent: settings.defaultAgentId }),
        ...(settings.contactEmail !== null && { contact: settings.contactEmail }),
        retention_days: settings.retentionDays,
        follow_up: settings.followUp,
        confirm_transcript: settings.confirmTranscript,
        limits: { ...DEFAULT_LIMITS, ...settings.limits },
      },
      tokens: (await listTokens(db, id)).map(toListedToken),
      sessions: { active, last_24_hours: settled },
      ...(hold !== undefined && { edge: toEdge(hold) }),
    };
  },
  render: ({ settings, sessions, tokens, edge, ...account }, terminal) => {
    const { abandoned, processed, error } = sessions.last_24_hours;
    const count = (number: number): string => number.toLocaleString("en");
    return [
      heading(terminal, account.name),
      facts(terminal, [
        ["client id", account.client_id],
        ["number", String(account.id)],
        ["export mode", settings.export_mode],
        ["default agent", settings.default_agent ?? "none"],
        ["contact", settings.contact ?? "none"],
        ["retention", `${settings.retention_days} days`],
        ["follow-up", settings.follow_up ? "on" : "off"],
        ["confirm transcript", settings.confirm_transcript ? "on" : "off"],
      ]),
      "",
      heading(terminal, "Limits"),
      table(terminal, Object.entries(settings.limits), [
        { title: "LIMIT", cell: ([name]) => name },
        { title: "VALUE", cell: ([, value]) => settingWords(value), align: "right" },
        {
          title: "",
          cell: ([name, value]) =>
            value === DEFAULT_LIMITS[name as keyof typeof DEFAULT_LIMITS] ? "default" : "set",
        },
      ]),
      "",
      heading(terminal, "Sessions"),
      facts(terminal, [
        ["active now", count(sessions.active)],
        [
          "last 24 hours",
          `${count(processed)} processed, ${count(abandoned)} abandoned, ${count(error)} error`,
        ],
        ["export", exportWords(terminal, settings.export_mode, edge)],
      ]),
      "",
      heading(terminal, "Tokens"),
      tokens.length === 0
        ? `${tone(terminal, "warn", "None.")} Issue one: svc tokens issue ${account.client_id} --label "first token"`
        : tokenTable(terminal, tokens),
    ].join("\n");
  },
});

function exportWords(terminal: Terminal, mode: ExportMode, edge: ExportEdge | undefined): string {
  if (mode === "as_available") return "Shows each session once it is settled; nothing is held.";
  if (edge === undefined) return "Complete: every session is settled.";
  return edgeWords(terminal, edge);
}

export const accountsCommands: Command[] = [
  accountsAdd,
  accountsList,
  accountsShow,
  accountsSet,
  accountsRename,
  accountsRemove,
];
