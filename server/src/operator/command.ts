import type * as z from "zod";
import type { Operator } from "./operator.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * One command of the CLI, said once: its help, its `--json` schema, the reference page and the
 * proof that exercises every flag are all read from here.
 */
export interface Command<Output = unknown> {
  /** As it is typed: `tokens issue`. */
  name: string;
  summary: string;
  arguments?: Argument[];
  options?: Option[];
  /** Whole command lines, each with what it does. */
  examples: [line: string, meaning: string][];
  /** What `--json` prints. */
  output: z.ZodType<Output>;
  run(operator: Operator, input: Input): Promise<Output>;
  /** For people. Ends without a line break. */
  render(output: Output, terminal: Terminal): string;
  /** The exit code, where a command that ran can still bring bad news. */
  exitCode?(output: Output): number;
}

export interface Argument {
  /** `account` is required, `[account]` is not; `[id...]` may be several, read with `repeated`. */
  name: string;
  summary: string;
  choices?: readonly string[];
}

/** The argument that names an account, the same in every command that takes one. */
export const ACCOUNT: Argument = {
  name: "account",
  summary: "client id, number, or the start of its name",
};

export interface Option {
  /** `--label <text>`, `--all`, `--since <time>`. */
  flags: string;
  summary: string;
  choices?: readonly string[];
  default?: string;
  required?: boolean;
  /** May be given several times; read it with `repeated`. */
  repeatable?: boolean;
}

/** Arguments by name and options by their long name in camelCase, all as they were typed. */
export interface Input {
  arguments: Record<string, string | string[] | undefined>;
  options: Record<string, string | string[] | boolean | undefined>;
}

/** Keeps the output's type tied between `run`, `output` and `render`, and forgets it outside. */
export function defineCommand<Output>(command: Command<Output>): Command {
  return command;
}

/** An argument or option that is known to be there: commander has refused the call otherwise. */
export function given(input: Input, name: string): string {
  const value = input.arguments[name] ?? input.options[name];
  if (typeof value !== "string") throw new Error(`${name} was not given`);
  return value;
}

export function optional(input: Input, name: string): string | undefined {
  const value = input.arguments[name] ?? input.options[name];
  return typeof value === "string" ? value : undefined;
}

export function repeated(input: Input, name: string): string[] {
  const value = input.arguments[name] ?? input.options[name];
  return Array.isArray(value) ? value : [];
}
