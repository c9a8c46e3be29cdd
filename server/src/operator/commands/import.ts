import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { findAccount } from "#accounts";
import { AppError } from "#platform";
import { importSessions } from "#sessions";
import type { ImportSource } from "#sessions";
import stringWidth from "string-width";
import * as z from "zod";
import { defineCommand, given, optional } from "../command.ts";
import type { Command, Input } from "../command.ts";
import { EXIT } from "../terminal/explain-error.ts";
import type { Operator } from "../operator.ts";
import { tone, wrap } from "../terminal/terminal.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { duration } from "../terminal/times.ts";

const Outcome = z.strictObject({
  file: z.string(),
  account: z.string().describe("The account's client id"),
  dry_run: z.boolean(),
  read: z.int(),
  ready: z.int().describe("Good and not there before"),
  imported: z.int(),
  to_evaluate: z.int().describe("Imported, and waiting for their evaluation"),
  already_there: z.int(),
  refused: z.int().describe("Lines that cannot be imported"),
  problems: z
    .array(
      z.strictObject({
        line: z.int(),
        field: z.string().exactOptional(),
        problem: z.string(),
        fix: z.string(),
        lines: z.int().describe("How many lines have it"),
      }),
    )
    .describe("What is wrong with the first of them"),
  moved: z.strictObject({ sessions: z.int(), most_ms: z.int() }),
  passed: z
    .strictObject({ sessions: z.int(), newest_before: z.string(), read_again_since: z.int() })
    .exactOptional()
    .describe("Older than the newest session before: clients may have read past them"),
});
type Outcome = z.infer<typeof Outcome>;

const sessionsImport = defineCommand({
  name: "sessions import",
  summary: "Take over finished sessions of an earlier system",
  arguments: [{ name: "file", summary: "one session object per line; - reads standard input" }],
  options: [
    { flags: "--account <account>", summary: "who they belong to", required: true },
    { flags: "--agent <agent>", summary: "put all of them under this agent (id or slug)" },
    {
      flags: "--unevaluated",
      summary: "take sessions without an evaluation, which are then evaluated here",
    },
    { flags: "--dry-run", summary: "check everything, write nothing" },
  ],
  examples: [
    [
      "svc sessions import old.ndjson --account acme --dry-run",
      "lists what is wrong with the file",
    ],
    ["svc sessions import old.ndjson --account acme", "imports it; run it again after a break"],
    [
      "zcat old.ndjson.gz | svc sessions import - --account acme --agent guide",
      "from another program, all under one agent",
    ],
    [
      "svc sessions import talks.ndjson --account acme --unevaluated",
      "and lets the pipeline evaluate them",
    ],
  ],
  output: Outcome,
  run: runImport,
  render,
  exitCode: ({ refused }) => (refused === 0 ? EXIT.done : EXIT.refused),
});

export const importCommands: Command[] = [sessionsImport];

async function runImport(operator: Operator, input: Input): Promise<Outcome> {
  const file = given(input, "file");
  const source = file === "-" ? standardInput() : await fileSource(operator, file);
  const account = await findAccount(operator.db(), given(input, "account"));
  const dryRun = input.options["dryRun"] === true;
  const report = await importSessions(operator.db(), operator.jobs(), operator.actor, {
    account,
    agent: optional(input, "agent"),
    unevaluated: input.options["unevaluated"] === true,
    source,
    dryRun,
    onProgress: (done, total, what) => operator.progress(done, total, what),
    // An input that is left half-read would keep the process alive.
  }).finally(() => file === "-" && process.stdin.destroy());
  const { alreadyThere, toEvaluate, problems, moved, passed, ...counts } = report;
  return {
    file: source.name,
    account: account.clientId,
    dry_run: dryRun,
    ...counts,
    to_evaluate: toEvaluate,
    already_there: alreadyThere,
    problems: problems.map(({ field, ...rest }) => ({
      ...(field !== undefined && { field }),
      ...rest,
    })),
    moved: { sessions: moved.sessions, most_ms: moved.maxMs },
    ...(passed.sessions > 0 && {
      passed: {
        sessions: passed.sessions,
        newest_before: new Date(passed.newestStampMs).toISOString(),
        read_again_since: Math.floor(passed.oldestMs / 1_000),
      },
    }),
  };
}

function standardInput(): ImportSource {
  return { name: "standard input", open: () => process.stdin, canBeReadTwice: false };
}

async function fileSource(operator: Operator, file: string): Promise<ImportSource> {
  const path = resolve(operator.directory, file);
  // A pipe, such as a shell's <(…), gives its bytes once.
  const canBeReadTwice = await stat(path).then(
    (stats) => stats.isFile(),
    (error: unknown) => {
      throw unreadable(file, error);
    },
  );
  return { name: basename(file), open: () => fileBytes(path, file), canBeReadTwice };
}

async function* fileBytes(path: string, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): AppError {
  const code = String((error as { code?: unknown }).code);
  return new AppError(
    "invalid_input",
    {
      what: `The file ${file} cannot be read.`,
      why: UNREADABLE[code] ?? `The system answers ${code}.`,
      fix: "Check its name, and that you may read it.",
    },
    { cause: error },
  );
}

const UNREADABLE: Record<string, string> = {
  ENOENT: "There is no such file.",
  EISDIR: "It is a folder.",
  EACCES: "You may not read it.",
};

function render(outcome: Outcome, terminal: Terminal): string {
  const { moved, passed, to_evaluate: due } = outcome;
  const paragraphs = [summary(outcome)];
  if (due > 0) {
    paragraphs.push(
      `To be evaluated: ${count(due)}. Until they are they hold the export, five minutes at most, as long as a pipeline runs.`,
    );
  }
  if (moved.sessions > 0) {
    paragraphs.push(
      `Moved: ${count(moved.sessions)}, by ${size(moved.most_ms)} at most. No session starts on a whole second, and no more than 99 in one.`,
    );
  }
  if (passed !== undefined) {
    paragraphs.push(
      `${TELL} ${count(passed.sessions)} started before ${passed.newest_before}, the newest stamp of the account until now. Who has read the export up to there will not see them, unless they read once more from since=${passed.read_again_since}.`,
    );
  }
  const text = paragraphs.map((one) => wrap(one, terminal.width, 0)).join("\n");
  return [
    ...problemLines(outcome, terminal),
    text.replace(TELL, tone(terminal, "warn", TELL)),
  ].join("\n");
}

const TELL = "Tell the customer:";

function summary(outcome: Outcome): string {
  const { read, ready, imported, already_there: there, refused } = outcome;
  const rest = `${count(there)} already there, ${count(refused)} refused.`;
  if (outcome.dry_run) return `Read ${count(read)}: ${count(ready)} can be imported, ${rest}`;
  const counts = `Read ${count(read)}: ${count(imported)} imported, ${rest}`;
  if (refused === 0) return counts;
  const kept = imported === 0 ? "Nothing was imported." : "What was imported stays.";
  return `${counts} ${kept} Correct these lines and run the same command again.`;
}

function problemLines({ file, problems, refused }: Outcome, terminal: Terminal): string[] {
  if (problems.length === 0) return [];
  const places = problems.map(({ line }) => `${file}:${line}`);
  const width = Math.max(...places.map((place) => stringWidth(place))) + 2;
  const lines = problems.map(({ field, problem, fix, lines: many }, index) => {
    const others = many === 1 ? "" : ` (${count(many)} lines)`;
    const text = `${field ?? "The line"} ${problem}${others}. ${fix}`;
    const place = places[index]!;
    return place + " ".repeat(width - stringWidth(place)) + wrap(text, terminal.width, width);
  });
  const listed = new Set(problems.map(({ line }) => line)).size;
  const more = refused - listed - problems.reduce((sum, { lines: many }) => sum + many - 1, 0);
  return [...lines, ...(more > 0 ? [`and ${count(more)} more lines`] : []), ""];
}

function count(number: number): string {
  return number.toLocaleString("en");
}

function size(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : duration(ms / 1_000);
}
