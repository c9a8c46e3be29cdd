import { JOBS } from "#jobs";
import { migrate, migrationStatus } from "#platform";
import * as z from "zod";
import { defineCommand } from "../command.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../terminal/explain-error.ts";
import { table, tone } from "../terminal/terminal.ts";

const dbMigrate = defineCommand({
  name: "db migrate",
  summary: "Bring the schema up to date",
  examples: [["svc db migrate", "runs what has not run yet, all or nothing"]],
  output: z.strictObject({
    applied: z.array(z.string()),
    export_login: z
      .enum(["made", "changed", "kept"])
      .describe("what became of the login of svc_export in SVC_EXPORT_DATABASE_URL"),
  }),
  run: async (operator) => {
    const { applied, exportLogin } = await migrate(
      operator.db(),
      operator.exportDatabaseUrl(),
      JOBS,
    );
    return { applied, export_login: exportLogin };
  },
  render: ({ applied, export_login: login }) =>
    [
      ...(applied.length === 0
        ? ["The schema is up to date."]
        : applied.map((name) => `Applied ${name}`)),
      ...(login === "kept" ? [] : [LOGIN[login]]),
    ].join("\n"),
});

const LOGIN = {
  made: "Allowed svc_export to log in, with the password in SVC_EXPORT_DATABASE_URL.",
  changed:
    "Changed the password of svc_export to the one in SVC_EXPORT_DATABASE_URL. Restart every server that still has another one.",
} as const;

const dbStatus = defineCommand({
  name: "db status",
  summary: "Show which migrations have run",
  examples: [["svc db status", "exits with 1 while one is missing"]],
  output: z.strictObject({
    migrations: z.array(
      z.strictObject({
        name: z.string(),
        applied_at: z.string().optional(),
        newer: z.literal(true).optional().describe("of a later release than this program"),
      }),
    ),
  }),
  run: async (operator) => ({
    migrations: (await migrationStatus(operator.db())).map(({ name, appliedAt, isNewer }) => ({
      name,
      ...(appliedAt !== undefined && { applied_at: appliedAt.toISOString() }),
      ...(isNewer && { newer: true as const }),
    })),
  }),
  render: ({ migrations }, terminal) =>
    table(terminal, migrations, [
      { title: "MIGRATION", cell: (one) => one.name },
      {
        title: "APPLIED",
        cell: (one) => one.applied_at ?? "missing",
        tone: (one) => (one.applied_at === undefined ? "bad" : undefined),
      },
      {
        title: "RELEASE",
        cell: (one) => (one.newer ? "later than this program" : "this one or earlier"),
      },
    ]) +
    (migrations.some((one) => one.applied_at === undefined)
      ? `\n\n${tone(terminal, "warn", "The schema is behind.")} Run \`svc db migrate\`.`
      : ""),
  exitCode: ({ migrations }) =>
    migrations.every((one) => one.applied_at !== undefined) ? EXIT.done : EXIT.refused,
});

export const dbCommands: Command[] = [dbMigrate, dbStatus];
