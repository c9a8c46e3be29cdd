import { list, mapOf, Mistake, number, oneOf, openObject, optional, or, text } from "../shape.ts";

/** What a request for an evaluation is about: the one JSON document between the fences of its prompt. */
export interface EvaluationDocument {
  record_language: string;
  /** The agent's. */
  languages: string[];
  questions: { key: string; text: string }[];
  insights: { key: string; text: string }[];
  qualification?: { qualified: string; disqualified?: string };
  metadata: Record<string, string>;
  transcript: Turn[];
}

export interface Turn {
  /** Counted from 1. */
  turn: number;
  role: "user" | "assistant";
  heard: string;
}

const keyed = or(list(openObject({ key: text, text })), []);

const document = openObject<EvaluationDocument>({
  record_language: text,
  languages: or(list(text), []),
  questions: keyed,
  insights: keyed,
  qualification: optional(
    openObject<NonNullable<EvaluationDocument["qualification"]>>({
      qualified: text,
      disqualified: optional(text),
    }),
  ),
  metadata: or(mapOf(text), {}),
  transcript: list(
    openObject<Turn>({
      turn: number({ from: 1, to: 1_000_000, whole: true }),
      role: oneOf("user", "assistant"),
      heard: text,
    }),
  ),
});

/** The document of a message, if it holds one. */
export function findDocument(message: string): EvaluationDocument | undefined {
  // A line break inside the document is escaped, so the last line that begins this way is its fence.
  const end = message.lastIndexOf("\nDATA ");
  const digest = /^\nDATA (\S+)>>>/.exec(message.slice(end, end + 200))?.[1];
  if (digest === undefined) return undefined;
  const opening = `<<<DATA ${digest}\n`;
  const start = message.indexOf(opening);
  if (start < 0 || start > end) return undefined;
  try {
    const value: unknown = JSON.parse(message.slice(start + opening.length, end));
    return document(value, "");
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Mistake) return undefined;
    throw error;
  }
}
