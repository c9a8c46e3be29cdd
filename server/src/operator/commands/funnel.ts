import { findAccount, readSettings } from "#accounts";
import { findAgent } from "#agents";
import type { FunnelDimension, FunnelFilter } from "#engagement";
import type { Db } from "#platform";
import { parseNumber, ROWS } from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { defineCommand, given, optional } from "../command.ts";
import type { Command, Input } from "../command.ts";
import { agentNames } from "../pages/agent-names.ts";
import { DIMENSIONS, Funnel, funnelOf, funnelRows, startOfDay } from "../pages/funnel-output.ts";
import type { FunnelRow } from "../pages/funnel-output.ts";
import { renderFunnel } from "../pages/funnel-page.ts";

const funnel = defineCommand({
  name: "funnel",
  summary: "Show how far visitors came, from seeing the button to a qualified conversation",
  arguments: [{ name: "[agent]", summary: "its id, or its folder's name; all when left out" }],
  options: [
    { flags: "--account <account>", summary: "only of this account" },
    { flags: "--by <what>", summary: "a row for each of these", choices: DIMENSIONS },
    {
      flags: "--since <time>",
      summary: "from the day of then on: 24h, 7d or 2026-11-01",
      default: "30d",
    },
    { flags: "--limit <rows>", summary: "how many rows at most with --by", default: "20" },
  ],
  examples: [
    ["svc funnel guide", "the last 30 days of one agent, step by step"],
    ["svc funnel guide --by page --since 7d", "which pages bring visitors"],
    ["svc funnel --account acme --by day --json", "for a chart"],
  ],
  output: Funnel,
  run: async (operator, input) => {
    const db = operator.db();
    const limit = parseNumber(given(input, "limit"), "number of rows", ROWS)!;
    const since = startOfDay(parseSince(input, operator.clock.nowMs())!);
    const by = optional(input, "by") as FunnelDimension | undefined;
    const { whose, days, ...who } = await whoseFunnel(db, input);
    const filter = { ...who, since };
    const isBeyond = days < (operator.clock.nowMs() - since.getTime()) / 86_400_000 - 1;
    return {
      whose,
      since: since.toISOString(),
      ...(by !== undefined && { by }),
      ...(isBeyond && { retention_days: days }),
      ...(await funnelOf(db, filter)),
      ...(by !== undefined && {
        rows: await named(db, by, await funnelRows(db, filter, by, limit)),
      }),
    };
  },
  render: renderFunnel,
});

async function whoseFunnel(
  db: Db,
  input: Input,
): Promise<Omit<FunnelFilter, "since"> & { whose: string; days: number }> {
  const account = optional(input, "account");
  const agent = optional(input, "agent");
  const found = account === undefined ? undefined : await findAccount(db, account);
  if (agent !== undefined) {
    const { id, slug, accountId } = await findAgent(db, agent, found?.id, { removed: true });
    const { retentionDays: days } = await readSettings(db, accountId);
    return { agentId: id, whose: slug, days };
  }
  if (found === undefined) return { whose: "All accounts", days: Number.POSITIVE_INFINITY };
  const { retentionDays: days } = await readSettings(db, found.id);
  return { accountIds: [found.id], whose: found.name, days };
}

/** Agents by what people call them. */
async function named(db: Db, by: FunnelDimension, rows: FunnelRow[]): Promise<FunnelRow[]> {
  if (by !== "agent") return rows;
  const names = await agentNames(db);
  return rows.map((row) => {
    const name = row.value === undefined ? undefined : names.get(row.value);
    return name === undefined ? row : { ...row, name };
  });
}

export const funnelCommands: Command[] = [funnel];
