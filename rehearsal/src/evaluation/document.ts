import * as z from "zod";
import { Mistake, orElse, readJson } from "../read-value.ts";

/** What a request for an evaluation is about: the one JSON document between the fences of its prompt. */
export interface EvaluationDocument {
  record_language: string;
  /** The agent's. */
  languages: string[];
  questions: { key: string; text: string }[];
  insights: { key: string; text: string }[];
  qualification?: { qualified: string; disqualified?: string };
  /** The criteria one by one. */
  criteria?: Criterion[];
  metadata: Record<string, string>;
  transcript: Turn[];
}

export interface Criterion {
  key: string;
  side: string;
  text: string;
}

export interface Turn {
  /** Counted from 1. */
  turn: number;
  role: "user" | "assistant";
  heard: string;
}

const keyed = orElse(z.array(z.object({ key: z.string(), text: z.string() })), []);

const document: z.ZodType<EvaluationDocument> = z
  .object({
    record_language: z.string(),
    languages: orElse(z.array(z.string()), []),
    questions: keyed,
    insights: keyed,
    criteria: orElse(
      z.array(z.object({ key: z.string(), side: z.string(), text: z.string() })),
      undefined,
    ),
    metadata: orElse(z.record(z.string(), z.string()), {}),
    transcript: z.array(
      z.object({
        turn: z.int().min(1).max(1_000_000),
        role: z.enum(["user", "assistant"]),
        heard: z.string(),
      }),
    ),
  })
  .transform(({ criteria, ...rest }) => {
    if (criteria === undefined) return rest;
    const textOf = (side: string): string =>
      criteria.flatMap((one) => (one.side === side ? one.text : [])).join("\n");
    const [qualified, disqualified] = [textOf("qualified"), textOf("disqualified")];
    return {
      ...rest,
      criteria,
      qualification: { qualified, ...(disqualified !== "" && { disqualified }) },
    };
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
    return readJson(document, message.slice(start + opening.length, end));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Mistake) return undefined;
    throw error;
  }
}
