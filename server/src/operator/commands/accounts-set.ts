import { changeSettings, EXPORT_MODES, findAccount, LIMIT_NAMES, RETENTION_DAYS } from "#accounts";
import type { ExportMode, SettingsChange } from "#accounts";
import { findAgent } from "#agents";
import { unpricedModels } from "#models";
import { AppError, transact } from "#platform";
import * as z from "zod";
import type { Operator } from "../operator.ts";
import { ACCOUNT, defineCommand, given, optional, repeated } from "../command.ts";
import type { Command, Input } from "../command.ts";
import { parseNumber } from "../arguments/parse-arguments.ts";
import { heading, table, tone } from "../terminal/terminal.ts";

const SettingValue = z.union([z.string(), z.number(), z.boolean()]).nullable();

export const accountsSet: Command = defineCommand({
  name: "accounts set",
  summary: "Change a customer's settings",
  arguments: [ACCOUNT],
  options: [
    {
      flags: "--export-mode <mode>",
      summary:
        "settled_prefix loses nothing; as_available is faster and loses what finishes late to readers that only move forward",
      choices: EXPORT_MODES,
    },
    {
      flags: "--default-agent <agent>",
      summary: "whom visitors of the client id alone meet (id or slug), or none",
    },
    { flags: "--contact <email>", summary: "where mail about the account goes, or none" },
    {
      flags: "--retention-days <days>",
      summary: `how long sessions are kept, ${RETENTION_DAYS.min} to ${RETENTION_DAYS.max}`,
    },
    {
      flags: "--follow-up <switch>",
      summary: "whether prospects are mailed a summary",
      choices: ["on", "off"],
    },
    {
      flags: "--confirm-transcript <switch>",
      summary:
        "whether the link in that mail shows what was said only after the reader confirmed that it was them",
      choices: ["on", "off"],
    },
    {
      flags: "--limit <name=value>",
      summary: `a number, none or default; may be repeated. Names: ${LIMIT_NAMES.join(", ")}`,
      repeatable: true,
    },
  ],
  examples: [
    ["svc accounts set acme --retention-days 90", "shows what changed"],
    [
      "svc accounts set acme --limit at_once_per_agent=200 --limit daily_starts_per_agent=5000",
      "sets two limits and leaves the others",
    ],
    ["svc accounts set acme --contact none", "removes the contact"],
  ],
  output: z.strictObject({
    client_id: z.string(),
    name: z.string(),
    changed: z.array(z.strictObject({ setting: z.string(), from: SettingValue, to: SettingValue })),
  }),
  run: async (operator, input) => {
    const change = readChange(input);
    refuseUnpriced(operator, limitInMoney(change.limits));
    return transact(operator.db(), async (trx) => {
      const { id, clientId, name } = await findAccount(trx, given(input, "account"));
      if (typeof change.defaultAgentId === "string") {
        change.defaultAgentId = (await findAgent(trx, change.defaultAgentId, id)).id;
      }
      const changed = await changeSettings(trx, operator.actor, id, change);
      return { client_id: clientId, name, changed };
    });
  },
  render: ({ client_id, name, changed }, terminal) =>
    changed.length === 0
      ? `Nothing changed: ${name} has these settings already.`
      : [
          `${heading(terminal, name)} ${tone(terminal, "quiet", client_id)}`,
          table(terminal, changed, [
            { title: "SETTING", cell: (one) => one.setting },
            { title: "WAS", cell: (one) => settingWords(one.from) },
            { title: "IS", cell: (one) => settingWords(one.to) },
          ]),
        ].join("\n"),
});

/** The name of a limit in money, where one is set. */
export function limitInMoney(limits: object = {}): string | undefined {
  const isMoney = ([name, value]: [string, unknown]): boolean =>
    name.includes("cost_micros") && typeof value === "number";
  return Object.entries(limits).find(isMoney)?.[0];
}

/** A limit in money counts what models cost: without a price it would never be reached. */
export function refuseUnpriced(operator: Operator, limit: string | undefined): void {
  if (limit === undefined) return;
  const { conversation } = operator.modelPlaces();
  const unpriced = conversation === undefined ? [] : unpricedModels(conversation);
  if (unpriced.length === 0) return;
  throw new AppError("invalid_input", {
    what: `The limit ${limit} was not taken.`,
    why: `It would never be reached, because ${unpriced.join(" and ")} has no price.`,
    fix: `Set SVC_MODEL_PRICES, for example ${unpriced[0]}=250000/2000000, here and for the server; for a model that costs nothing, ${unpriced[0]}=0/0.`,
  });
}

/** A setting's value as people read it. */
export function settingWords(value: string | number | boolean | null): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "number" ? value.toLocaleString("en") : value;
}

function readChange(input: Input): SettingsChange {
  const exportMode = optional(input, "exportMode") as ExportMode | undefined;
  const defaultAgent = optional(input, "defaultAgent");
  const contact = optional(input, "contact");
  const retentionDays = parseNumber(
    optional(input, "retentionDays"),
    "number of days",
    RETENTION_DAYS,
  );
  const followUp = optional(input, "followUp");
  const confirmTranscript = optional(input, "confirmTranscript");
  const limits = repeated(input, "limit");
  const change: SettingsChange = {
    ...(exportMode !== undefined && { exportMode }),
    ...(defaultAgent !== undefined && { defaultAgentId: orNone(defaultAgent) }),
    ...(contact !== undefined && { contactEmail: orNone(contact) }),
    ...(retentionDays !== undefined && { retentionDays }),
    ...(followUp !== undefined && { followUp: followUp === "on" }),
    ...(confirmTranscript !== undefined && { confirmTranscript: confirmTranscript === "on" }),
    ...(limits.length > 0 && { limits: Object.fromEntries(limits.map(readLimit)) }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new AppError("invalid_input", {
    what: "There is nothing to set.",
    why: "No setting was given.",
    fix: "Run `svc accounts set --help` for the settings there are.",
  });
}

function orNone(text: string): string | null {
  return text.trim() === "none" ? null : text.trim();
}

function readLimit(text: string): [string, number | "none" | "default"] {
  const [name = "", value = ""] = text.split(/=(.*)/s, 2);
  if (value === "none" || value === "default") return [name, value];
  return [name, /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN];
}
