import { expect, it } from "vitest";
import { untold } from "./coverage.ts";
import { crawlHelp, parseHelp } from "./read-help.ts";
import type { Run } from "./svc.ts";

const TOP = `Usage: svc [options] [command]

Operate Svc.

Options:
  -h, --help  show this help

Commands:
  tokens      API tokens of an account
  doctor      Check what Svc stands on

Settings come from the environment.
`;
const TOKENS = `Usage: svc tokens [options] [command]

Commands:
  issue <account>  Issue an API token
  list <account>   List the tokens
`;
const ISSUE = `Usage: svc tokens issue [options] <account>

Arguments:
  account         client id, number, or the start of its name

Options:
  --label <text>  what it is for, so that you know it
                  later
  --mode <mode>   how (choices: "plain",
                  "signed")
  --json          print JSON for programs
  -h, --help      show this help

Examples:
  svc tokens issue acme --label "warehouse"
      prints the token
`;

function run(argv: string, exitCode = 0): Run {
  return { argv: argv.split(" "), exitCode, out: "", err: "" };
}

it("help is read with its arguments, flags and choices", () => {
  expect(parseHelp(ISSUE)).toEqual({
    commands: [],
    arguments: ["account"],
    flags: [
      { name: "--label", takesValue: true, choices: [] },
      { name: "--mode", takesValue: true, choices: ["plain", "signed"] },
      { name: "--json", takesValue: false, choices: [] },
      { name: "--help", takesValue: false, choices: [] },
    ],
  });
});

it("every command is found from the top", async () => {
  const pages: Record<string, string> = {
    "--help": TOP,
    "tokens --help": TOKENS,
    "tokens issue --help": ISSUE,
    "tokens list --help": "",
    "doctor --help": "",
  };
  const found = await crawlHelp((argv) =>
    Promise.resolve({ argv, exitCode: 0, out: pages[argv.join(" ")]!, err: "" }),
  );
  expect(found.map(({ name }) => name)).toEqual(["tokens issue", "tokens list", "doctor"]);
});

it("a command, a flag and a choice that no call used are told", () => {
  const help = [
    { name: "tokens issue", ...parseHelp(ISSUE) },
    { name: "doctor", ...parseHelp("") },
  ];
  const calls = [
    run("tokens issue --help"),
    run("tokens issue acme --label x --mode plain"),
    run("tokens issue acme --json", 2),
  ];
  expect(untold(help, calls)).toEqual([
    "svc tokens issue --mode signed",
    "svc tokens issue --json",
    "svc doctor",
  ]);
  const rest = [run("tokens issue a --label x --mode signed --json", 1), run("doctor")];
  expect(untold(help, [...calls, ...rest])).toEqual([]);
});
