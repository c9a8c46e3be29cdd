import { AppError, createJobSender, createLog, systemClock } from "#platform";
import { expect } from "vitest";
import { commands } from "./commands/index.ts";
import type { Operator } from "./operator.ts";
import { runCli } from "./program.ts";

export interface Ran {
  exitCode: number;
  out: string;
  err: string;
}

/** `svc` in a test. */
export interface CommandLine {
  svc(...argv: string[]): Promise<Ran>;
  /** What `--json` prints, checked against the command's own schema. */
  json(...argv: string[]): Promise<Record<string, unknown>>;
  /** The same of a command that ends like that. */
  jsonAt(exitCode: number, ...argv: string[]): Promise<Record<string, unknown>>;
}

export function commandLineUnderTest(
  given: Partial<Operator> = {},
  terminal: { width?: number; nowMs?: number } = {},
): CommandLine {
  const operator = operatorUnderTest(given);
  const svc: CommandLine["svc"] = async (...argv) => {
    const [out, err]: [string[], string[]] = [[], []];
    const exitCode = await runCli(argv, {
      terminal: { width: 100, color: false, nowMs: operator.clock.nowMs(), ...terminal },
      operator,
      print: (text) => out.push(text),
      complain: (text) => err.push(text),
    });
    return { exitCode, out: out.join("\n"), err: err.join("\n") };
  };
  const jsonAt: CommandLine["jsonAt"] = async (expected, ...argv) => {
    const { exitCode, out, err } = await svc(...argv, "--json");
    expect([exitCode, err]).toEqual([expected, ""]);
    const command = commands.find(({ name }) => `${argv.join(" ")} `.startsWith(`${name} `))!;
    const printed: unknown = JSON.parse(out);
    expect(command.output.parse(printed)).toEqual(printed);
    return printed as Record<string, unknown>;
  };
  return { svc, jsonAt, json: (...argv) => jsonAt(0, ...argv) };
}

/** An operator in a test: nothing is there unless the test gives it. */
export function operatorUnderTest(given: Partial<Operator> = {}): Operator {
  return {
    db: away,
    exportDatabaseUrl: away,
    cell: () => "aa",
    publicUrl: () => undefined,
    liveUrl: () => undefined,
    connectionsOf: () => 10,
    configProblems: () => [],
    jobs: () =>
      given.db === undefined ? away() : createJobSender(given.db(), createLog("silent")),
    models: away,
    conversationModels: away,
    modelPlaces: () => ({ conversation: undefined, evaluation: undefined }),
    embeddingPlace: () => undefined,
    unusedModelNames: () => [],
    freeModels: () => new Set(),
    sdkFolder: () => undefined,
    speech: () => undefined,
    secrets: away,
    mail: () => undefined,
    addressMarks: away,
    receivers: () => ({}),
    clock: systemClock,
    release: () => ({ version: "1.2.3", commit: "0a1b2c3" }),
    actor: "ada",
    serverSettings: () => ({ url: undefined, token: undefined }),
    directory: ".",
    progress: () => {},
    interrupted: () => new AbortController().signal,
    note: () => {},
    ...given,
  };
}

function away(): never {
  throw new AppError("unavailable", { what: "", why: "", fix: "" }, { cause: new Error("gone") });
}
