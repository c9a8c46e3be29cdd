/** Reads a value from outside into a type, or throws a `Mistake` that names the place. */
export type Shape<T> = (value: unknown, at: string) => T;

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

export const text: Shape<string> = (value, at) =>
  typeof value === "string" ? value : wrongType(value, at, "a string");

export const flag: Shape<boolean> = (value, at) =>
  typeof value === "boolean" ? value : wrongType(value, at, "a boolean");

export function number(range: { from: number; to: number; whole?: true }): Shape<number> {
  return (value, at) => {
    if (typeof value !== "number") return wrongType(value, at, "a number");
    const fits = value >= range.from && value <= range.to;
    if (fits && (range.whole === undefined || Number.isInteger(value))) return value;
    const kind = range.whole === undefined ? "number" : "whole number";
    return wrongValue(at, `expected a ${kind} from ${range.from} to ${range.to}, not ${value}`);
  };
}

export function oneOf<T extends string>(...words: readonly T[]): Shape<T> {
  return (value, at) => {
    const word = words.find((one) => one === value);
    if (word !== undefined) return word;
    const expected = `one of ${words.join(", ")}`;
    return typeof value === "string"
      ? wrongValue(at, `expected ${expected}, not ${JSON.stringify(value)}`)
      : wrongType(value, at, expected);
  };
}

export function list<T>(item: Shape<T>): Shape<T[]> {
  return (value, at) =>
    Array.isArray(value)
      ? value.map((one, index) => item(one, `${at}[${index}]`))
      : wrongType(value, at, "a list");
}

/** Keys are free. */
export function mapOf<T>(item: Shape<T>): Shape<Record<string, T>> {
  return (value, at) =>
    Object.fromEntries(
      Object.entries(plainObject(value, at)).map(([key, one]) => [key, item(one, below(at, key))]),
    );
}

type Fields<T> = { [K in keyof T]-?: Shape<T[K]> };

/** Other keys than these are mistakes. */
export function object<T>(fields: Fields<T>): Shape<T> {
  const read = openObject(fields);
  return (value, at) => {
    const stranger = Object.keys(plainObject(value, at)).find((key) => !Object.hasOwn(fields, key));
    if (stranger === undefined) return read(value, at);
    throw new Mistake("unknown", below(at, stranger), "nothing is known by this name");
  };
}

/** Other keys than these are passed over. */
export function openObject<T>(fields: Fields<T>): Shape<T> {
  const shapes = Object.entries(fields) as [string, Shape<unknown>][];
  return (value, at) => {
    const given = plainObject(value, at);
    const read: Record<string, unknown> = {};
    for (const [key, shape] of shapes) {
      const one = shape(Object.hasOwn(given, key) ? given[key] : undefined, below(at, key));
      if (one !== undefined) read[key] = one;
    }
    return read as T;
  };
}

export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value, at) => (value === undefined ? undefined : shape(value, at));
}

/** What is left out, or null, is `fallback`. */
export function or<T, F>(shape: Shape<T>, fallback: F): Shape<T | F> {
  return (value, at) => (value === undefined || value === null ? fallback : shape(value, at));
}

/** A value of any kind that is an object. */
export const anyObject: Shape<Record<string, unknown>> = plainObject;

function plainObject(value: unknown, at: string): Record<string, unknown> {
  return isObject(value) ? value : wrongType(value, at, "an object");
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function below(at: string, key: string): string {
  return at === "" ? key : `${at}.${key}`;
}

function wrongType(value: unknown, at: string, expected: string): never {
  if (value === undefined) throw new Mistake("missing", at, `${expected} is missing`);
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
  throw new Mistake("type", at, `expected ${expected}, not ${found}`);
}

export function wrongValue(at: string, message: string): never {
  throw new Mistake("value", at, message);
}
