import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import type { Document, Node, Pair } from "yaml";
import { explainSyntax, TAB } from "./explain-syntax.ts";
import type { SyntaxFault } from "./explain-syntax.ts";

/** A parsed YAML text that knows the position of each of its fields. */
export interface LocatedYaml {
  /** Undefined when the text is too broken to be checked further. */
  value: unknown;
  /** Violations of YAML's syntax and of our restrictions on it. */
  faults: Fault[];
  /** The position of a field's key, or of the nearest parent that exists. */
  locate(path: readonly PropertyKey[]): Position;
}

export interface Fault extends Position {
  path: PropertyKey[];
  message: string;
}

export interface Position {
  line: number;
  column: number;
}

export function locatedYaml(text: string): LocatedYaml {
  const lines = new LineCounter();
  // The parser's own pretty errors would quote the file, and Node would print its warnings.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: "error",
  });
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const lineOf = (offset: number): number => position(offset).line;
  const errors = [...document.errors, ...document.warnings];
  const explained = onePerLine(errors, (error) => lineOf(error.pos[0])).flatMap((error) => {
    const fault = explainSyntax(error, text, document, lineOf);
    return fault === undefined ? [] : [{ ...fault, keepsShape: keepsShape(error.code) }];
  });
  const syntax = withoutEchoes(explained, text);
  const faults = [
    ...syntax.map(({ offset, message }) => ({
      ...position(offset),
      path: pathByIndent(text.split("\n", lineOf(offset))),
      message,
    })),
    ...faultsOfUse(document).map(({ offset, message }) => ({
      ...position(offset),
      path: pathTo(document, offset),
      message,
    })),
  ];
  const readable = syntax.every((one) => one.keepsShape) && !hasAliases(document);
  return {
    value: readable ? document.toJS() : undefined,
    faults: onePerLine(faults, ({ line }) => line),
    locate: (path) => position(offsetOf(document, path)),
  };
}

/** After these errors, the rest of the file still means what its author intended. */
function keepsShape(code: string): boolean {
  return code === "DUPLICATE_KEY" || code === "TAG_RESOLVE_FAILED" || code === "BAD_DQ_ESCAPE";
}

function hasAliases(document: Document): boolean {
  let found = false;
  visit(document, {
    Alias: () => {
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

function faultsOfUse(document: Document): { offset: number; message: string }[] {
  const faults: { offset: number; message: string }[] = [];
  const add = (node: Node, message: string): void =>
    void faults.push({ offset: node.range?.[0] ?? 0, message });
  visit(document, {
    Alias: (_key, node) =>
      add(node, "A text that starts with * is an alias in YAML. Put the text in quotes."),
    Scalar: (_key, node) => {
      if (typeof node.value !== "string") return;
      if (UNSTORABLE.test(node.value) || !node.value.isWellFormed())
        add(node, "This text holds a control character. Remove it.");
    },
    Pair: (_key, { key }) => {
      // As a key of a plain object, `__proto__` would set the prototype and disappear silently.
      if (isScalar(key) && key.value === "__proto__")
        add(key, "This key is not known here. Remove it.");
      if (!isScalar(key) && !isAlias(key) && key !== null)
        add(key as Node, "This key is not a name. Put the text in quotes.");
    },
  });
  return faults;
}

/**
 * PostgreSQL cannot store NUL, and terminals interpret the other control characters. Tabs and line
 * breaks are allowed.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find((one) => nameOf(one) === String(step));
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset;
}

/** The innermost field that starts before this place. */
function pathTo(document: Document, offset: number): PropertyKey[] {
  const path: PropertyKey[] = [];
  let node: unknown = document.contents;
  for (;;) {
    if (isMap(node)) {
      const pair = node.items.findLast((one) => (startOf(one.key) ?? Infinity) <= offset);
      if (pair === undefined) return path;
      path.push(nameOf(pair));
      node = pair.value;
    } else if (isSeq(node)) {
      const index = node.items.findLastIndex((one) => (startOf(one) ?? Infinity) <= offset);
      if (index < 0) return path;
      path.push(index);
      node = node.items[index];
    } else return path;
  }
}

/**
 * The field that the last of these lines belongs to, judged by indentation as a reader would: its
 * first word, and above it the keys that are indented less. A file that does not parse has no tree
 * to ask.
 */
function pathByIndent(lines: string[]): string[] {
  const path: string[] = [];
  let limit = Infinity;
  for (const line of lines.toReversed()) {
    const found = LINE.exec(line)?.groups;
    if (found === undefined) continue;
    const [indent, hasInside] = [found["indent"]!, /^\s*:\s*(?:[|>#].*)?$/.test(found["rest"]!)];
    // A tab has no defined width, so such a line belongs to the line above it, or at its level.
    if (limit === TABBED) limit = indent.length + (hasInside ? 1 : 0);
    if (indent.length >= limit) continue;
    // A field with its value on the same line has nothing below it.
    if (path.length > 0 && !hasInside) continue;
    limit = indent.includes("\t") ? TABBED : indent.length;
    path.unshift(found["word"]!);
  }
  return path;
}

const TABBED = -1;
const LINE = /^(?<indent>[ \t]*(?:- +)?)["']?(?<word>[^\s:#"'-][^\s:"']*)["']?(?<rest>.*)$/;

function nameOf({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : "";
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** A misplaced line makes YAML complain about the lines below it, up to the next field at the margin. */
function withoutEchoes<T extends SyntaxFault>(faults: T[], text: string): T[] {
  const seen = new Set<number>();
  return faults
    .toSorted((a, b) => a.offset - b.offset)
    .filter(({ offset, message, isIndent }) => {
      const field = [...text.slice(0, offset + 1).matchAll(/^[^\s#]/gm)].length;
      const isEcho = isIndent === true && seen.has(field) && message !== TAB;
      if (isIndent === true) seen.add(field);
      return !isEcho;
    });
}

/** A single typo makes YAML report the same line several times. */
function onePerLine<T>(complaints: T[], lineOf: (one: T) => number): T[] {
  const seen = new Set<number>();
  return complaints.filter((one) => !seen.has(lineOf(one)) && seen.add(lineOf(one)));
}
