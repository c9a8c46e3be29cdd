import { join } from "node:path";
import { AppError } from "#platform";
import type { LocatedYaml } from "./located-yaml.ts";

/** One thing to correct in an agent's folder. */
export interface Mistake {
  /** The path as the operator typed it: `agents/guide/agent.yaml`. */
  file: string;
  line?: number;
  column?: number;
  /** As in the file: `languages.de.greeting`, `content[2].file`. */
  field?: string;
  /** What is wrong, then what to do. */
  message: string;
}

/** A mistake that is not located yet: in a field of agent.yaml, or in another file. */
export interface Problem {
  /** Of agent.yaml, or of that file. */
  field?: PropertyKey[];
  file?: string;
  /** In that file. */
  line?: number;
  column?: number;
  message: string;
}

/** All mistakes of a folder in one error. */
export class AgentFileError extends AppError {
  readonly mistakes: Mistake[];

  constructor(shown: string, mistakes: Mistake[]) {
    const one = mistakes.length === 1;
    super(
      "invalid_input",
      {
        what: `${shown} has ${one ? "a mistake" : `${mistakes.length} mistakes`}.`,
        why: listed(mistakes),
        fix: `Fix ${one ? "it" : "them"} and run the same command again. Nothing has changed.`,
      },
      { details: mistakes },
    );
    this.mistakes = mistakes;
  }
}

export function placed(
  { field = [], file, line, column, message }: Problem,
  shown: string,
  yaml: LocatedYaml,
): Mistake {
  const inFile = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  return {
    file: join(shown, file ?? "agent.yaml"),
    ...(file === undefined ? yaml.locate(field) : inFile),
    ...(field.length > 0 && { field: fieldName(field) }),
    message,
  };
}

/** A value of the wrong type is also reported for its size, so only the first problem of a field is kept. */
export function onePerField<P extends Problem>(problems: P[]): P[] {
  const seen = new Set<string>();
  return problems.filter(({ field = [] }) => {
    const name = fieldName(field);
    return !seen.has(name) && seen.add(name);
  });
}

/** In the notation of the messages: `content[2].file`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

/** In the order of the agent file, then by file. */
export function inOrder(mistakes: Mistake[]): Mistake[] {
  return mistakes.toSorted(
    (a, b) => (a.line ?? LAST) - (b.line ?? LAST) || (a.column ?? LAST) - (b.column ?? LAST),
  );
}

const LAST = Number.MAX_SAFE_INTEGER;

const MAX_LISTED = 40;

/** Nobody reads more than a screen of mistakes; the rest appear once these are corrected. */
function listed(mistakes: Mistake[]): string {
  const more = mistakes.length - MAX_LISTED;
  return [
    ...mistakes.slice(0, MAX_LISTED).map(inWords),
    ...(more > 0 ? [`and ${more.toLocaleString("en")} more`] : []),
  ].join("\n");
}

/** The location, which editors open on a click, and below it the message. */
function inWords({ file, line, column, field, message }: Mistake): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return `${place}${field === undefined ? "" : `  ${field}`}\n  ${message}`;
}
