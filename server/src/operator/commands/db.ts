import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { JOBS } from "#jobs";
import { AppError, createLog, migrate, migrationStatus } from "#platform";
import { databaseRestored } from "#rights";
import * as z from "zod";
import { defineCommand, repeated } from "../command.ts";
import type { Command } from "../command.ts";
import { EXIT } from "../terminal/explain-error.ts";
import { table, tone, wrap } from "../terminal/terminal.ts";

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

const dbRestored = defineCommand({
  name: "db restored",
  summary: "Make a database that was restored from a backup safe to start, before any process runs",
  options: [
    {
      flags: "--erased <file>",
      summary:
        "erase again what this log of a server, or output of `svc erase --json`, says was erased; may be repeated",
      repeatable: true,
    },
  ],
  examples: [
    ["svc db restored --erased api.log", "erases again, and drops mails that may have been sent"],
  ],
  output: z.strictObject({
    at: z.iso.datetime(),
    erasures_found: z.int().describe("Sessions that the files say were erased"),
    erased_again: z.int().describe("Those of them that the backup had brought back"),
    mails_dropped: z.int().describe("Waiting mails, which may have been sent before"),
    deliveries_pending: z.int().describe("Deliveries that go on when a pipeline starts"),
  }),
  run: async (operator, input) => {
    const erasedIds: string[] = [];
    for (const file of repeated(input, "erased")) {
      const text = await readFile(resolve(operator.directory, file), "utf8").catch((error) => {
        throw unreadable(file, error);
      });
      erasedIds.push(...erasedIn(text));
    }
    const restored = await databaseRestored(
      { db: operator.db(), log: createLog("silent") },
      { actor: operator.actor, erasedIds },
    );
    return {
      at: restored.at.toISOString(),
      erasures_found: new Set(erasedIds).size,
      erased_again: restored.erasedAgain,
      mails_dropped: restored.mailsDropped,
      deliveries_pending: restored.deliveriesPending,
    };
  },
  render: (done, terminal) =>
    [
      `${done.erased_again} of ${done.erasures_found} erased sessions were back, and are erased again.`,
      `${done.mails_dropped} waiting mails are dropped, since they may have been sent; so is every other mail about a session of the backup.`,
      `${done.deliveries_pending} webhook deliveries go on when a pipeline starts. Receivers may get some of them a second time.`,
      ...(done.erasures_found === 0
        ? [
            tone(
              terminal,
              "warn",
              "No erasure was named. If anybody was erased since the backup, run it again with --erased.",
            ),
          ]
        : []),
    ]
      .map((line) => wrap(line, terminal.width, 0))
      .join("\n"),
});

const Erased = z.union([
  z
    .object({ msg: z.literal("erased"), sessionIds: z.array(z.uuid()) })
    .transform(({ sessionIds }) => sessionIds),
  z
    .object({
      erased: z.literal(true),
      accounts: z.array(z.object({ session_ids: z.array(z.uuid()) })),
    })
    .transform(({ accounts }) => accounts.flatMap((one) => one.session_ids)),
]);

/** Reads the ids of erased sessions from JSON objects, each on one line or indented, with anything between them. */
function erasedIn(text: string): string[] {
  const documents = text.match(/^\{.*\}$|^\{$[^]*?^\}$/gm) ?? [];
  return documents.flatMap((document) => {
    try {
      return Erased.safeParse(JSON.parse(document)).data ?? [];
    } catch {
      // A line that was cut off when a process died.
      return [];
    }
  });
}

function unreadable(file: string, error: unknown): AppError {
  return new AppError("invalid_input", {
    what: `The file ${file} cannot be read.`,
    why: (error as Error).message,
    fix: "Name a server's log, or the output of `svc erase --json`.",
  });
}

export const dbCommands: Command[] = [dbMigrate, dbStatus, dbRestored];
