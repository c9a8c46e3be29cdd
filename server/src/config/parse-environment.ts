import * as z from "zod";
import { describeConfig } from "./environment.ts";
import { readSecretFiles, variableOf } from "./secret-files.ts";

export function parseEnvironment<T>(
  schema: z.ZodType<T> & { shape: object },
  environment: NodeJS.ProcessEnv,
): T {
  // An empty variable is an unset one: compose files and charts write `NAME=` for "not given".
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const files = readSecretFiles(Object.keys(schema.shape), set);
  const parsed = schema.safeParse(files.environment, { error: inWords });
  if (parsed.success && files.problems.length === 0) return parsed.data;
  const unread = new Set<unknown>(files.problems.map(({ name }) => variableOf(name)));
  throw new ConfigError(
    new z.ZodError([
      ...files.problems.map(({ name, problem }) => faultOf(name, problem)),
      // Its file is what is at fault, and not that the variable is missing.
      ...(parsed.error?.issues ?? []).filter(({ path }) => !unread.has(path[0])),
    ]),
  );
}

function faultOf(name: string, message: string): z.core.$ZodIssue {
  return { code: "custom", path: [name], message, input: undefined };
}

/** For variables without a message of their own: zod's messages speak of types, these follow a variable's name. */
function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "too_small")
    return `must be ${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code !== "invalid_type") return undefined;
  if (issue.expected === "int") return "must be a whole number";
  return issue.expected === "number" ? "must be a number" : undefined;
}

export interface ConfigProblem {
  name: string;
  /** Follows the name in a sentence: "is required". */
  problem: string;
  meaning: string;
}

/** Lists every variable at fault at once, and never its value: it may be a secret. */
export class ConfigError extends Error {
  readonly problems: ConfigProblem[];

  constructor(error: z.ZodError) {
    const problems = error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return { name, problem: message, meaning: meaningOf(name) };
    });
    const isIncomplete = problems.every(({ problem }) => problem.startsWith("is required"));
    const lines = problems.map(({ name, problem }) => `  ${name}: ${problem}`);
    super(
      `The configuration ${isIncomplete ? "is not complete" : "has mistakes"}.\n${lines.join("\n")}\nSet these variables and start again; docs/operate/configuration.md lists them all.`,
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** The error for variables that only some roles or some combinations of settings require. */
export function missing(
  names: string[],
  message = "is required, unless SVC_ROLE=api",
): ConfigError {
  return new ConfigError(new z.ZodError(names.map((name) => faultOf(name, message))));
}

function meaningOf(name: string): string {
  return describeConfig().find((variable) => variable.name === variableOf(name))?.meaning ?? "";
}
