import type * as z from "zod";

/** Reads a value from outside, or throws a `Mistake` that names the place. */
export function readValue<T>(schema: z.ZodType<T>, value: unknown, at = ""): T {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw mistakeOf(result.error.issues[0]!, at);
}

/** The same for JSON. Text that is no JSON throws a `SyntaxError`. */
export function readJson<T>(schema: z.ZodType<T>, json: string | Buffer): T {
  return readValue(schema, JSON.parse(json.toString()));
}

/** What is wrong with a value from outside. */
export class Mistake extends Error {
  readonly kind: "missing" | "type" | "value" | "unknown";
  /** Such as `messages[0].role`. Empty for the whole. */
  readonly at: string;

  constructor(kind: Mistake["kind"], at: string, why: string) {
    super(`${at || "the whole"}: ${why}`);
    this.name = "Mistake";
    this.kind = kind;
    this.at = at;
  }
}

/** A value that may be left out or null, which is `fallback` then. */
export function orElse<T, F extends T | null | undefined>(
  schema: z.ZodType<T>,
  fallback: F,
): z.ZodType<T | Extract<F, null | undefined>> {
  return schema
    .nullish()
    .transform((value) => value ?? (fallback as T | Extract<F, null | undefined>));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mistakeOf(issue: z.core.$ZodIssue, at: string): Mistake {
  const place = issue.path.reduce(below, at);
  if (issue.code === "unrecognized_keys") {
    return new Mistake("unknown", below(place, issue.keys[0]!), "nothing is known by this name");
  }
  if (issue.input === undefined && issue.code !== "custom") {
    return new Mistake("missing", place, "it is missing");
  }
  const why = issue.message.replace(/^Invalid (?:input|option): /, "");
  return new Mistake(issue.code === "invalid_type" ? "type" : "value", place, why);
}

function below(at: string, key: PropertyKey): string {
  if (typeof key === "number") return `${at}[${key}]`;
  return at === "" ? String(key) : `${at}.${String(key)}`;
}
