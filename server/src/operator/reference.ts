import * as z from "zod";
import type { Command } from "./command.ts";
import { commands } from "./commands/index.ts";
import { EXIT } from "./terminal/explain-error.ts";
import { GROUPS } from "./program.ts";

/** The reference of the CLI, made from the commands themselves: a page for people and a schema for programs. */
export function cliReference(): { page: string; schema: string } {
  return { page: page(), schema: `${JSON.stringify(outputSchema(), null, 2)}\n` };
}

const EXIT_MEANING: Record<keyof typeof EXIT, string> = {
  done: "Done.",
  refused: "Refused, or a check found something: what was asked for cannot be had as things are.",
  usage: "Not understood: the command line or a value in it is at fault.",
  unavailable: "What it stands on is away or not as it must be: the database, most of the time.",
  defect: "A defect in svc itself.",
};

function page(): string {
  const groups = Map.groupBy(commands, ({ name }) => name.split(" ", 1)[0]!);
  const sections = [...groups].map(([group, members]) => {
    const entries = members.map(entry).join("\n");
    const isSingle = members.length === 1 && members[0]!.name === group;
    return isSingle
      ? entries.replace(/^###/, "##")
      : `## ${group}: ${GROUPS[group] ?? ""}\n\n${entries}`;
  });
  return [
    "# The command `svc`",
    "",
    "Made from the commands themselves by `npm run generate`. `svc --help` says the same.",
    "",
    "- `--json` prints one JSON document for programs, as [cli-output.schema.json](cli-output.schema.json) describes it.",
    "- An error prints three lines on standard error: what happened, why, and what to do. With `--json` it is an object.",
    "- Every change is written to the audit in the same transaction, with who ran it: `--as <name>`, which every command takes, else `SVC_OPERATOR`, else the machine's user ([more](../operate/accounts-and-tokens.md#audit-log)).",
    "- `svc help accounts set` is the same as `svc accounts set --help`, and `svc --version` says which release and commit it is.",
    "- Settings come from the [environment](../operate/configuration.md). While `npm run dev` runs, none is needed.",
    "",
    "| exit code | meaning |",
    "|---|---|",
    ...Object.entries(EXIT_MEANING).map(
      ([name, meaning]) => `| ${EXIT[name as keyof typeof EXIT]} | ${meaning} |`,
    ),
    "",
    ...sections,
  ].join("\n");
}

function entry(command: Command): string {
  const rows = [
    ...(command.arguments ?? []).map(({ name, summary }) => [name, summary]),
    ...(command.options ?? []).map((option) => [option.flags, optionWords(option)]),
  ];
  return [
    `### svc ${command.name}`,
    "",
    `${command.summary}.`,
    "",
    ...(rows.length === 0
      ? []
      : ["| | |", "|---|---|", ...rows.map(([name, words]) => `| \`${name}\` | ${words} |`), ""]),
    "```sh",
    ...command.examples.map(([line, meaning]) => `${line}  # ${meaning}`),
    "```",
    "",
  ].join("\n");
}

function optionWords({
  summary,
  choices,
  default: preset,
  required,
}: NonNullable<Command["options"]>[number]): string {
  return [
    summary,
    ...(choices === undefined ? [] : [`one of ${choices.map((one) => `\`${one}\``).join(", ")}`]),
    ...(preset === undefined ? [] : [`\`${preset}\` unless given`]),
    ...(required ? ["required"] : []),
  ].join("; ");
}

const ErrorOutput = z.strictObject({
  error: z.strictObject({
    what: z.string(),
    why: z.string(),
    fix: z.string(),
    details: z
      .array(z.record(z.string(), z.unknown()))
      .exactOptional()
      .describe("The reasons one by one, where there are many"),
  }),
});

/** JSON Schema, draft 2020-12: what each command prints with `--json`, and `error` for any that fails. */
function outputSchema(): object {
  const outputs = commands.map((command) => [command.name, asJsonSchema(command.output)] as const);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What svc prints with --json",
    description:
      "By command under $defs. `error` is what any of them prints on standard error when it fails.",
    $defs: Object.fromEntries([...outputs, ["error", asJsonSchema(ErrorOutput)]]),
  };
}

function asJsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      // `format` says it to people and tools; zod's pattern for the same is a page long.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      delete jsonSchema.propertyNames;
    },
  });
  return rest;
}
