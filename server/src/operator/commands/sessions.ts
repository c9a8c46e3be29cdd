import { SessionRow, Story } from "@svc/contract/schemas";
import type * as types from "@svc/contract/types";
import * as z from "zod";
import { ROWS, WHOSE, parseNumber } from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { ask } from "../ask.ts";
import { defineCommand, given, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { findSessions, readSession } from "../console/session-routes.ts";
import { STATUS_TONE, renderStory } from "../pages/story-page.ts";
import { table, tone, wrap } from "../terminal/terminal.ts";
import { ago, duration } from "../terminal/times.ts";

const STATUSES = ["active", "abandoned", "processed", "error"] as const;

const sessionsList = defineCommand({
  name: "sessions list",
  summary: "List the newest sessions",
  options: [
    ...WHOSE,
    { flags: "--status <status>", summary: "only with this status", choices: STATUSES },
    { flags: "--since <time>", summary: "only started since then: 24h, 7d or 2026-11-01" },
    { flags: "--limit <rows>", summary: "how many at most", default: "20" },
    { flags: "--test", summary: "test sessions instead of real ones" },
  ],
  examples: [
    ["svc sessions list", "the newest 20 of all accounts"],
    ["svc sessions list --account acme --status error --since 7d", "what failed last week"],
  ],
  output: z.strictObject({ sessions: z.array(SessionRow), more: z.boolean() }),
  run: async (operator, input) => {
    const limit = parseNumber(given(input, "limit"), "number of rows", ROWS)!;
    const since = parseSince(input, operator.clock.nowMs());
    const { sessions, next } = await ask(operator, findSessions, {
      query: {
        account: optional(input, "account"),
        agent: optional(input, "agent"),
        status: optional(input, "status"),
        since: since?.toISOString(),
        test: input.options["test"] === true ? "true" : undefined,
        limit: String(limit),
      },
    });
    return { sessions: sessions.map(withoutContents), more: next !== undefined };
  },
  render: ({ sessions, more }, terminal) =>
    sessions.length === 0
      ? wrap(
          "No session fits. Without a filter the newest of all accounts are shown; test sessions need --test.",
          terminal.width,
          0,
        )
      : table(terminal, sessions, [
          { title: "ID", cell: (one) => one.id },
          { title: "STARTED", cell: (one) => ago(terminal, one.created_at) },
          { title: "STATUS", cell: (one) => one.status, tone: (one) => STATUS_TONE[one.status] },
          { title: "ACCOUNT", cell: (one) => one.account_name, flexible: true },
          {
            title: "AGENT",
            cell: (one) => `${one.agent_slug} v${one.agent_version}`,
            flexible: true,
          },
          {
            title: "LENGTH",
            cell: ({ duration_secs: secs }) => (secs === undefined ? "" : duration(secs)),
            align: "right",
            optional: true,
          },
          { title: "ENDED", cell: (one) => one.end_reason ?? "", optional: true },
        ]) + (more ? `\n${tone(terminal, "quiet", "There are older ones: raise --limit.")}` : ""),
});

const ROW_FIELDS: ReadonlySet<string> = new Set<keyof types.SessionRow>([
  "id",
  "client_id",
  "account_name",
  "agent_id",
  "agent_slug",
  "agent_version",
  "status",
  "test",
  "created_at",
  "ended_at",
  "end_reason",
  "settled_at",
  "duration_secs",
]);

/** A list ends in logs and chats: who the visitor is and what they said stays out of it. */
function withoutContents(found: types.FoundSession): types.SessionRow {
  const facts = Object.entries(found).filter(([name]) => ROW_FIELDS.has(name));
  return SessionRow.parse(Object.fromEntries(facts));
}

const sessionsShow = defineCommand({
  name: "sessions show",
  summary: "Tell the whole story of one session, what was said included",
  arguments: [{ name: "id", summary: "the session's id" }],
  examples: [
    [
      "svc sessions show 01932c1e-7d3a-7c40-9f5e-3b1a2c4d5e6f",
      "facts, conversation, evaluations, and whether it is in the export",
    ],
  ],
  output: Story,
  run: (operator, input) => ask(operator, readSession, { params: { id: given(input, "id") } }),
  render: renderStory,
});

export const sessionsCommands: Command[] = [sessionsList, sessionsShow];
