import { isCollection, isScalar, visit } from "yaml";
import type { Document, Node, YAMLError } from "yaml";

export interface SyntaxFault {
  offset: number;
  message: string;
  /** Indentation errors: they make the neighbouring lines look wrong too. */
  isIndent?: true;
}

/**
 * A YAML error in plain words, with its place: YAML often notices a mistake lines after it was
 * made. Undefined for errors that only follow from another one.
 */
export function explainSyntax(
  error: YAMLError,
  text: string,
  document: Document,
  lineOf: (offset: number) => number,
): SyntaxFault | undefined {
  const offset = error.pos[0];
  const rest = text.slice(offset).split("\n", 1)[0]!;
  if (error.code === "TAB_AS_INDENT" || (rest.startsWith("\t") && error.code !== "DUPLICATE_KEY"))
    return { offset, message: TAB, isIndent: true };
  switch (error.code) {
    case "DUPLICATE_KEY": {
      // A line that could not be parsed leaves empty keys behind, which then look like duplicates.
      if (rest.trim() === "") return undefined;
      const first = lineOf(firstOfSameKey(document, offset));
      return {
        offset,
        message: `This key is there already, on line ${first}. Remove one of the two.`,
      };
    }
    case "BAD_INDENT": {
      if (!error.message.startsWith("Flow")) return notAligned(text, offset);
      const opening = startOfFlow(document, offset) ?? offset;
      const closing = text[opening] === "{" ? "}" : "]";
      return {
        offset: opening,
        message: `The ${text[opening]} is never closed. Add a ${closing}.`,
      };
    }
    case "BLOCK_AS_IMPLICIT_KEY": {
      if (/:(?:\s|$)/.test(rest)) return { offset, message: COLON };
      if (/^\s*-\s/.test(rest)) return notAligned(text, offset);
      const below = nextText(text, offset + rest.length + 1);
      return { offset: below, message: TOO_DEEP, isIndent: true };
    }
    case "MULTILINE_IMPLICIT_KEY":
      return { offset, message: NO_KEY };
    case "MISSING_CHAR": {
      if (error.message.startsWith("Sequence item")) return notAligned(text, offset);
      // A comment on its own line is valid anywhere, except after an open brace.
      if (rest.startsWith("#") && text[offset - 1] === "\n") return undefined;
      if (!/quote/.test(error.message)) return { offset, message: NO_KEY };
      const opening = startOfQuoted(document, offset, text) ?? offset;
      return {
        offset: opening,
        message: `The quote that opens here is never closed. Add a closing ${text[opening]}.`,
      };
    }
    case "UNEXPECTED_TOKEN": {
      const opening = startOfQuoted(document, offset, text);
      if (opening === undefined) return { offset, message: SIGN };
      const quote = text[opening] === "'" ? "''" : String.raw`\"`;
      return {
        offset: opening,
        message: `The quoted text ends too early. Write ${quote} for a quote inside it.`,
      };
    }
    case "BAD_SCALAR_START":
      return { offset, message: `A text cannot start with ${rest[0]} in YAML. Put it in quotes.` };
    case "BAD_DQ_ESCAPE":
      return { offset, message: ESCAPE };
    case "MULTIPLE_DOCS":
      return { offset, message: "A second document begins here. Keep one agent in a file." };
    case "TAG_RESOLVE_FAILED":
      return { offset, message: TAG };
    default:
      if (/call stack/.test(error.message))
        return { offset, message: "This is nested too deep. Write it flatter." };
      return {
        offset,
        message: `YAML cannot read this: ${error.message}. Put the text in quotes.`,
      };
  }
}

export const TAB = "A tab indents this line. Use spaces, two for each level.";
const COLON = "A colon in a text starts a new key. Put the text in quotes.";
const TOO_DEEP = "This line is indented too deep. Align it with the line above.";
const NO_KEY = "This line is no key with a value. Write a colon and a space after the key.";
const SIGN = "YAML reads this as a sign of its own. Put the whole text in quotes.";
const ESCAPE = String.raw`This is no escape of YAML. Write \\ for a backslash.`;
const TAG = "A text that starts with ! is a tag in YAML. Put the text in quotes.";

function notAligned(text: string, offset: number): SyntaxFault {
  const message = "This line is not aligned with those around it. Indent it like its neighbours.";
  return { offset: nextText(text, offset), message, isIndent: true };
}

/** The start of the first line from here on that is not just a comment. */
function nextText(text: string, offset: number): number {
  const empty = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*/.exec(text.slice(offset))![0];
  return offset + empty.length;
}

function firstOfSameKey(document: Document, offset: number): number {
  let first = offset;
  visit(document, {
    Map: (_key, { items }) => {
      const same = items.find(({ key }) => startOf(key) === offset)?.key;
      if (!isScalar(same)) return undefined;
      const before = items.find(({ key }) => isScalar(key) && key.value === same.value);
      first = startOf(before?.key) ?? offset;
      return visit.BREAK;
    },
  });
  return first;
}

/** The last bracket that is open before this place. */
function startOfFlow(document: Document, offset: number): number | undefined {
  return lastBefore(document, offset, (node) => isCollection(node) && node.flow === true);
}

/** The quoted text that ends immediately before this place. */
function startOfQuoted(document: Document, offset: number, text: string): number | undefined {
  return lastBefore(document, offset, (node) => {
    const isQuoted = isScalar(node) && node.type?.startsWith("QUOTE") === true;
    return isQuoted && text.slice(node.range![1], offset).trim() === "";
  });
}

function lastBefore(
  document: Document,
  offset: number,
  fits: (node: Node) => boolean,
): number | undefined {
  let last: number | undefined;
  visit(document, {
    Node: (_key, node) => {
      const start = startOf(node);
      if (start !== undefined && start < offset && (last ?? -1) < start && fits(node)) last = start;
    },
  });
  return last;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isCollection(node) ? node.range?.[0] : undefined;
}
