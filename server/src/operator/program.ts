import { oneLineText, writeActor } from "#accounts";
import {
  Argument as CommanderArgument,
  Command as Commander,
  CommanderError,
  Option as CommanderOption,
} from "commander";
import { atServer, checkServer } from "./ask.ts";
import type { Command, Input } from "./command.ts";
import { commands } from "./commands/index.ts";
import { EXIT, explain, renderExplanation } from "./terminal/explain-error.ts";
import type { Explanation } from "./terminal/explain-error.ts";
import type { Operator } from "./operator.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** The input and output of a CLI run, so that a test can replace the terminal. */
export interface Surroundings {
  terminal: Terminal;
  operator: Operator;
  /** To standard output, with a line break. */
  print(text: string): void;
  /** To standard error, with a line break. */
  complain(text: string): void;
}

export const GROUPS: Record<string, string> = {
  db: "The database's schema",
  accounts: "Customers and their settings",
  tokens: "API tokens of an account",
  agents: "Agents as code: folders, versions, previews",
  tours: "Pictures of a product, recorded step by step",
  sessions: "What was said, and how it ended",
  rubric: "How well conversations are judged",
  webhooks: "Receivers of events: where evaluated sessions are sent",
  deliveries: "What was sent to receivers, and what came of it",
  mail: "Mails to prospects, and who wants none",
  erasures: "Receipts of what was erased",
  subject: "What is kept of a person",
  console: "Who may use the console",
  audit: "Who changed what",
};

/** The state of a run. */
interface Run extends Surroundings {
  exitCode: number;
  /** Why the command line was not understood. */
  misread?: Explanation;
}

/** Runs one command line and returns its exit code. */
export async function runCli(argv: string[], surroundings: Surroundings): Promise<number> {
  const run: Run = { ...surroundings, exitCode: EXIT.done };
  try {
    if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
      const { version, commit } = run.operator.release();
      run.print(`svc ${version}${commit === undefined ? "" : ` (commit ${commit})`}`);
      return EXIT.done;
    }
    await buildProgram(run).parseAsync(orHelp(argv), { from: "user" });
    return run.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const { exitCode, ...words } = run.misread ?? explain(error);
    run.complain(
      argv.includes("--json")
        ? JSON.stringify({ error: words })
        : renderExplanation(run.terminal, words),
    );
    return exitCode;
  }
}

/** `svc` and `svc accounts` ask what there is, and so does `svc help accounts`. */
function orHelp(argv: string[]): string[] {
  if (argv[0] === "help") return helpOf(argv.slice(1));
  const [only, ...more] = argv;
  const isGroup = commands.some((command) => command.name.startsWith(`${only} `));
  return only === undefined || (isGroup && more.length === 0) ? [...argv, "--help"] : argv;
}

/** What is no command is left to be refused: with `--help` it would be answered with all there is. */
function helpOf(words: string[]): string[] {
  const line = words.join(" ");
  const isKnown = commands.some(({ name }) => `${name} `.startsWith(`${line} `));
  return isKnown || line === "" ? [...words, "--help"] : words;
}

function buildProgram(run: Run): Commander {
  const program = new Commander("svc")
    .description("Operate Svc: accounts, tokens, agents and sessions.")
    .option("-V, --version", "show which release this is")
    .enablePositionalOptions()
    .addHelpText(
      "after",
      [
        "",
        "Every command takes --json, --help and --as <name>: who you are, for the audit.",
        "With --server <url>, or SVC_SERVER, and SVC_SERVER_TOKEN svc asks a server and needs no database.",
        "svc help <command> is the same as svc <command> --help.",
        "Settings come from the environment; `svc doctor` checks them.",
      ].join("\n"),
    );
  configure(program, run);
  const groups = new Map<string, Commander>();
  for (const command of commands) {
    const words = command.name.split(" ");
    const parent = words.length === 1 ? program : group(program, groups, words[0]!, run);
    addCommand(parent, words.at(-1)!, command, run);
  }
  return program;
}

function group(
  program: Commander,
  groups: Map<string, Commander>,
  name: string,
  run: Run,
): Commander {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const made = program.command(name).description(GROUPS[name] ?? "");
  configure(made, run);
  groups.set(name, made);
  return made;
}

/** Commander writes to the process and ends it unless it is told otherwise, each command anew. */
function configure(commander: Commander, run: Run): void {
  commander
    .exitOverride()
    .helpCommand(false)
    .helpOption("-h, --help", "show this help")
    .showSuggestionAfterError()
    .configureHelp({
      helpWidth: Math.min(run.terminal.width, 100),
      showGlobalOptions: false,
      subcommandTerm: (sub) =>
        [sub.name(), ...sub.registeredArguments.map((argument) => usage(argument))].join(" "),
    })
    .configureOutput({
      writeOut: (text) => run.print(text.trimEnd()),
      writeErr: (text) => run.complain(text.trimEnd()),
      outputError: (text) => void (run.misread = usageError(text, commander)),
    });
}

function usage(argument: { name(): string; required: boolean; variadic: boolean }): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Commander's one line, in our three. */
function usageError(text: string, commander: Commander): Explanation {
  const [problem = "", suggestion] = text
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  return {
    what: "This command line was not understood.",
    why: `${problem[0]?.toUpperCase() ?? ""}${problem.slice(1)}`.replace(/[^.]$/, "$&."),
    fix: `${suggestion === undefined ? "" : `${suggestion.replace(/^\(|\)$/g, "")} `}Run \`${fullName(commander)} --help\` for what it takes.`,
    exitCode: EXIT.usage,
  };
}

function fullName(commander: Commander): string {
  return commander.parent === null
    ? commander.name()
    : `${fullName(commander.parent)} ${commander.name()}`;
}

function addCommand(parent: Commander, word: string, command: Command, run: Run): void {
  const made = parent.command(word).description(command.summary);
  configure(made, run);
  for (const argument of command.arguments ?? []) {
    const name = argument.name.startsWith("[") ? argument.name : `<${argument.name}>`;
    const added = new CommanderArgument(name, argument.summary);
    if (argument.choices !== undefined) added.choices(argument.choices);
    made.addArgument(added);
  }
  for (const option of command.options ?? []) {
    const added = new CommanderOption(option.flags, option.summary);
    if (option.choices !== undefined) added.choices(option.choices);
    if (option.default !== undefined) added.default(option.default);
    if (option.required) added.makeOptionMandatory();
    if (option.repeatable) {
      added.argParser((value, before: string[] | undefined) => [...(before ?? []), value]);
    }
    made.addOption(added);
  }
  made.option("--json", "print JSON for programs");
  made.addOption(new CommanderOption("--as <name>", "who you are, for the audit").hideHelp());
  made.addOption(new CommanderOption("--server <url>", "ask this server").hideHelp());
  made.addHelpText(
    "after",
    `\nExamples:\n${command.examples.map(([line, meaning]) => `  ${line}\n      ${meaning}`).join("\n")}`,
  );
  made.action(async () => {
    const values = (command.arguments ?? []).map(({ name: argument }, index) => [
      argument.replace(/[[\].]/g, ""),
      argument.includes("...") ? made.args.slice(index) : made.args[index],
    ]);
    const input: Input = { arguments: Object.fromEntries(values), options: made.opts() };
    const output = await command.run(operatorOf(run.operator, input, command.name), input);
    run.print(
      input.options["json"] === true
        ? JSON.stringify(command.output.parse(output), null, 2)
        : command.render(output, run.terminal),
    );
    run.exitCode = command.exitCode?.(output) ?? EXIT.done;
  });
}

/** The operator under the name that they gave themselves, or with the server that they named. */
function operatorOf(
  operator: Operator,
  { options: { as: name, server } }: Input,
  command: string,
): Operator {
  const settings = operator.serverSettings();
  const url = typeof server === "string" ? server : settings.url;
  if (url !== undefined) return atServer(operator, checkServer(url, settings.token), command);
  if (typeof name !== "string") return operator;
  return {
    ...operator,
    actor: writeActor({ kind: "named", name: oneLineText(name, "The name after --as", 100) }),
  };
}
