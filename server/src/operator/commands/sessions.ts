import { listSessions } from "#sessions";
import { SessionRow, Story } from "@svc/contract/schemas";
import type { SessionStatus } from "@svc/contract/types";
import * as z from "zod";
import { ROWS, WHOSE, parseNumber, whoseSessions } from "../arguments/parse-arguments.ts";
import { parseSince } from "../arguments/parse-time.ts";
import { ask } from "../ask.ts";
import { defineCommand, given, optional } from "../command.ts";
import type { Command } from "../command.ts";
import { readSession } from "../console/session-routes.ts";
import { toSessionRow } from "../pages/story-output.ts";
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
    const status = optional(input, "status") as SessionStatus | undefined;
    const found = await listSessions(operator.db(), {
      ...(await whoseSessions(operator.db(), input)),
      ...(status !== undefined && { status }),
      ...(since !== undefined && { since }),
      test: input.options["test"] === true,
      limit: limit + 1,
    });
    return {
      sessions: found.slice(0, limit).map(toSessionRow),
      more: found.length > limit,
    };
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
