import type { Random } from "@svc/tools/random";

/** A YAML text that remembers on which line it wrote each field. */
export interface WrittenYaml {
  lines: string[];
  /** From 1: the line of a field's key, or of a list's item. */
  lineOf(field: string): number;
}

export interface Handwriting {
  /** Decides quotes, lists, comments and blank lines. */
  random: Random;
  /** Values written as they are, whatever they mean. */
  raw?: Record<string, string>;
  /** Keys written under another name. */
  renamed?: Record<string, string>;
  /** No text takes more than one line. */
  oneLine?: boolean;
}

/** Writes as people do, in one of many ways: plain, quoted or block texts, lists in brackets or not, comments. */
export function writeYaml(value: object, hand: Handwriting): WrittenYaml {
  const lines: string[] = [];
  const places = new Map<string, number>();
  const { random, raw = {}, renamed = {}, oneLine = false } = hand;

  function map(entries: [string, unknown][], indent: string, at: string, first = indent): void {
    for (const [index, [key, one]] of entries.entries()) {
      const field = at === "" ? key : `${at}.${key}`;
      const start = index === 0 ? first : indent;
      if (start === indent) chatter(indent);
      const name = renamed[field] ?? key;
      places.set(field, lines.length + 1);
      const head = `${start}${name}:`;
      if (raw[field] !== undefined) lines.push(`${head} ${raw[field]}`);
      else put(head, one, indent, field);
    }
  }

  function put(head: string, one: unknown, indent: string, field: string): void {
    if (one === null) lines.push(head);
    else if (Array.isArray(one)) list(head, one, indent, field);
    else if (typeof one === "object") {
      const entries = Object.entries(one);
      if (entries.length === 0) lines.push(`${head} {}`);
      else {
        lines.push(head);
        map(entries, `${indent}  `, field);
      }
    } else if (typeof one === "string" && one.includes("\n") && !oneLine && random.chance(0.6)) {
      lines.push(
        `${head} |-`,
        ...one.split("\n").map((line) => (line === "" ? "" : `${indent}  ${line}`)),
      );
    } else lines.push(`${head} ${scalar(one)}`);
  }

  function list(head: string, items: unknown[], indent: string, field: string): void {
    const isPlain = items.every((item) => typeof item === "string");
    const hasRaw = items.some((_, index) => raw[`${field}[${index}]`] !== undefined);
    if (items.length === 0 || (isPlain && !hasRaw && random.chance(0.5))) {
      for (const index of items.keys()) places.set(`${field}[${index}]`, lines.length + 1);
      lines.push(`${head} [${items.map((item) => JSON.stringify(item)).join(", ")}]`);
      return;
    }
    lines.push(head);
    for (const [index, item] of items.entries()) {
      const place = `${field}[${index}]`;
      places.set(place, lines.length + 1);
      const dash = `${indent}  - `;
      if (raw[place] !== undefined) lines.push(dash + raw[place]);
      else if (typeof item === "object" && item !== null)
        map(Object.entries(item), `${indent}    `, place, dash);
      else lines.push(dash + scalar(item));
    }
  }

  function scalar(one: unknown): string {
    if (typeof one !== "string") return String(one);
    const isPlain = /^[A-Za-z][A-Za-z0-9/.-]*(?: [A-Za-z0-9]+)*$/.test(one) && !WORDS.test(one);
    if (isPlain && random.chance(0.7)) return one;
    if (!one.includes("\n") && random.chance(0.4)) return `'${one.replaceAll("'", "''")}'`;
    return JSON.stringify(one);
  }

  function chatter(indent: string): void {
    if (random.chance(0.1)) lines.push("");
    if (random.chance(0.1)) lines.push(`${indent}# a remark: not a "key"`);
  }

  map(Object.entries(value), "", "");
  return {
    lines,
    lineOf(field) {
      const line = places.get(field);
      if (line === undefined) throw new Error(`${field} was not written`);
      return line;
    },
  };
}

/** What YAML reads as something else than a text. */
const WORDS = /^(?:true|false|null|\.inf|\.nan)$/i;
