import type * as z from "zod";

/** The reason why a line cannot be imported. Never contains text from the line, which may be personal. */
export interface ImportProblem {
  line: number;
  /** `created_at`, `transcript[3].content`; undefined when the problem is the line as a whole. */
  field: string | undefined;
  /** Completes a sentence that starts with the field. */
  problem: string;
  fix: string;
  /** The number of lines with this problem. More than one only for problems that are listed once. */
  lines: number;
}

export const ONE_OBJECT = "Write each session as one object on one line, as `jq -c` does.";

/** A schema issue in plain words. Parse with `reportInput`. */
export function schemaProblem(line: number, issue: z.core.$ZodIssue): ImportProblem {
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]!] : issue.path;
  const field = path.length === 0 ? undefined : fieldName(path);
  return { line, field, ...inWords(issue), lines: 1 };
}

function inWords(issue: z.core.$ZodIssue): { problem: string; fix: string } {
  switch (issue.code) {
    case "unrecognized_keys":
      return { problem: "is no field of a session", fix: "Leave it out." };
    case "invalid_type":
      if (issue.path.length === 0) return { problem: "is no object", fix: ONE_OBJECT };
      if (issue.input === undefined) return { problem: "is missing", fix: "Add it." };
      if (issue.input === null) return { problem: "is null", fix: "Leave it out." };
      if (issue.path[0] === "metadata" && issue.path.length > 1)
        return { problem: "is no string", fix: "Write its JSON as a string." };
      return {
        problem: `is no ${NAMES[issue.expected] ?? issue.expected}`,
        fix: "Write one, or leave it out.",
      };
    case "invalid_value": {
      // Active sessions are refused as well, so `active` is not suggested.
      const values = issue.values.filter((value) => value !== "active").map(String);
      const problem = issue.input === undefined ? "is missing" : "has a value that is not known";
      const choices = values.length === 1 ? [...values, "leave it out"] : values;
      return { problem, fix: `Write ${choices.join(", ").replace(/, ([^,]+)$/, " or $1")}.` };
    }
    case "invalid_format":
      if (issue.format === "uuid") return { problem: "is no UUID", fix: "Write one." };
      return { problem: "is no RFC 3339 time", fix: "Write it like 2026-03-02T09:15:00.125Z." };
    case "too_small":
    case "too_big":
      if (issue.origin === "int" || issue.origin === "number")
        return { problem: "is out of range", fix: "Correct it." };
      return EMPTY;
    default:
      // The contract's rule that a map has at least one entry.
      return EMPTY;
  }
}

const EMPTY = { problem: "is empty", fix: "Leave out what is empty." };
const NAMES: Record<string, string> = { int: "whole number", record: "object" };

/** Shortened, because keys are the customer's own and may be of any length. */
function fieldName(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path;
  const steps = rest.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`));
  const name = `${String(first)}${steps.join("")}`;
  return name.length > 80 ? `${name.slice(0, 79)}…` : name;
}
