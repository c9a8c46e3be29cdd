import { findAccount, listAudit, readActor } from "#accounts";
import * as z from "zod";
import { defineCommand, given, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { parseNumber, ROWS } from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { table, tone } from "../terminal/terminal.ts";
import { ago } from "../terminal/times.ts";

const auditList = defineCommand({
  name: "audit list",
  summary: "List who changed what, the newest first",
  options: [
    { flags: "--account <account>", summary: "only of this account" },
    { flags: "--since <time>", summary: "only since then: 24h, 7d or 2026-11-01" },
    { flags: "--limit <rows>", summary: "how many at most", default: "20" },
  ],
  examples: [
    ["svc audit list", "the last 20 changes"],
    ["svc audit list --account acme --since 7d", "one customer's last week"],
  ],
  output: z.strictObject({
    entries: z.array(
      z.strictObject({
        at: z.iso.datetime(),
        actor: z.string().describe("As it was recorded: `os:root`, `named:ada`"),
        actor_kind: z
          .enum(["os", "named", "console", "unmarked"])
          .describe(
            "How it is known: the machine's user, what they called themselves, who was signed in to the console, or not said",
          ),
        action: z.string(),
        client_id: z.string().exactOptional(),
        account_name: z.string().exactOptional(),
        subject: z.string(),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
    more: z.boolean(),
  }),
  run: async (operator, input) => {
    const limit = parseNumber(given(input, "limit"), "number of rows", ROWS)!;
    const since = parseSince(input, operator.clock.nowMs());
    const account = optional(input, "account");
    const found = await listAudit(operator.db(), {
      ...(account !== undefined && { accountId: (await findAccount(operator.db(), account)).id }),
      ...(since !== undefined && { since }),
      limit: limit + 1,
    });
    return {
      entries: found.slice(0, limit).map((entry) => ({
        at: entry.at.toISOString(),
        actor: entry.actor,
        actor_kind: readActor(entry.actor).kind,
        action: entry.action,
        ...(entry.clientId !== null && { client_id: entry.clientId }),
        ...(entry.accountName !== null && { account_name: entry.accountName }),
        subject: entry.subject,
        detail: entry.detail,
      })),
      more: found.length > limit,
    };
  },
  render: ({ entries, more }, terminal) =>
    entries.length === 0
      ? "No change fits. Every change that svc makes is listed here, with who made it."
      : table(terminal, entries, [
          { title: "WHEN", cell: (one) => ago(terminal, one.at) },
          { title: "WHO", cell: (one) => one.actor },
          { title: "DID", cell: (one) => one.action },
          { title: "ACCOUNT", cell: (one) => one.account_name ?? "" },
          { title: "TO", cell: (one) => one.subject, optional: true },
          { title: "DETAIL", cell: (one) => detailWords(one.detail), flexible: true },
        ]) + (more ? `\n${tone(terminal, "quiet", "There are older ones: raise --limit.")}` : ""),
});

/** `label warehouse, retention_days 365 → 90` */
function detailWords(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join(", ");
}

function valueWords(value: unknown): string {
  const change = Change.safeParse(value);
  if (change.success) return `${valueWords(change.data.from)} → ${valueWords(change.data.to)}`;
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const Change = z.strictObject({ from: z.unknown(), to: z.unknown() });

export const auditCommands: Command[] = [auditList];
