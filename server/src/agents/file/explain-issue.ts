import type * as z from "zod";
import { hintFor, nearest } from "./known-fields.ts";
import type { FileSchema } from "./known-fields.ts";

/** A schema issue in plain words, located at the field it is about. */
export function explainIssue(
  issue: z.core.$ZodIssue,
  file: unknown,
  schema: FileSchema,
): { path: PropertyKey[]; message: string }[] {
  const { path } = issue;
  const given = path.reduce<unknown>(
    (at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step],
    file,
  );
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: `This key is not known here. ${hintFor(schema, path, key)}`,
      }));
    case "invalid_type":
      if (given === null && path.includes("colors")) return [{ path, message: UNQUOTED_COLOR }];
      return [{ path, message: wrongType(issue.expected, given) }];
    case "invalid_value": {
      const known = issue.values.map(String);
      if (given === undefined || given === null)
        return [{ path, message: `${absent(given)} Write one of ${known.join(", ")}.` }];
      const near = typeof given === "string" ? nearest(given, known) : undefined;
      const fix =
        near === undefined ? `Write one of ${known.join(", ")}.` : `Did you mean \`${near}\`?`;
      return [{ path, message: `${quoted(given)} is not known here. ${fix}` }];
    }
    case "too_big":
      return [{ path, message: tooMuch(issue.origin, Number(issue.maximum), given) }];
    case "too_small":
      return [{ path, message: `This is too little. Write at least ${issue.minimum}.` }];
    case "invalid_union": {
      // The author meant the alternative that has the same type as the value.
      const meant = issue.errors.find((issues) => !issues.some(isOfAnotherKind));
      return (meant ?? issue.errors[0] ?? []).flatMap((one) =>
        explainIssue({ ...one, path: [...path, ...one.path] }, file, schema),
      );
    }
    default:
      // The schema has its own message.
      return [{ path, message: issue.message }];
  }
}

function isOfAnotherKind({ code, path }: z.core.$ZodIssue): boolean {
  return code === "invalid_type" && path.length === 0;
}

function wrongType(expected: string, given: unknown): string {
  if (given === undefined || given === null) return `${absent(given)} ${ADVICE[expected] ?? ""}`;
  if (expected === "string" && typeof given !== "object")
    return `YAML reads this as a ${typeof given}. Put it in quotes.`;
  if (expected === "array" && typeof given === "string" && given.startsWith("-"))
    return "This is no list yet. Put a space after each dash.";
  return `This is ${kindOf(given)}. ${ADVICE[expected] ?? ""}`;
}

const ADVICE: Record<string, string> = {
  string: "Write a text.",
  number: "Write a number, without quotes.",
  int: "Write a whole number, without quotes.",
  boolean: "Write true or false, without quotes.",
  array: "Write a list: each item on a line of its own, after a dash and a space.",
  object: "Write keys with values below it, indented.",
  record: "Write keys with values below it, indented.",
};

const UNQUOTED_COLOR =
  'There is nothing here: # starts a comment. Put the colour in quotes, as in "#0f766e".';

function absent(given: null | undefined): string {
  return given === undefined ? "This is missing." : "There is nothing here.";
}

function kindOf(given: unknown): string {
  if (Array.isArray(given)) return "a list";
  if (typeof given === "object") return "a map of keys";
  return typeof given === "string" ? "a text" : `a ${typeof given}`;
}

function tooMuch(origin: string, max: number, given: unknown): string {
  const allowed = max.toLocaleString("en");
  if (origin === "string")
    return `This text has ${String(given).length.toLocaleString("en")} characters. Shorten it to ${allowed}.`;
  if (origin === "array") return `This list is too long. Keep at most ${allowed}.`;
  return `This is too much. Write at most ${allowed}.`;
}

function quoted(given: unknown): string {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  return `\`${text.length > 40 ? `${text.slice(0, 40)}…` : text}\``;
}
