import * as z from "zod";
import { orElse } from "../read-value.ts";
import type { EvaluationAnswer } from "./answer.ts";

/** The answer to one known conversation. */
export interface EvaluationScript {
  about: string;
  when: {
    /** The visitor's first turns. */
    user_turns: string[];
  };
  answer: EvaluationAnswer;
}

const text = z.string();
const quote = { turn: z.int().min(0).max(10_000), quote: text };
const reply = orElse(z.strictObject({ ...quote, text }), null);
const value = orElse(z.strictObject({ ...quote, value: text }), null);

const qualification = z.strictObject({
  status: z.enum(["qualified", "disqualified", "not_enough_data"]),
  reasoning: orElse(text, ""),
  because: orElse(z.array(z.strictObject(quote)), []),
});

const question = z.strictObject({
  asked: orElse(z.strictObject(quote), null),
  answered: orElse(z.strictObject({ ...quote, answer: text }), null),
});

/** Claims and lists may be left out: null, or empty. */
export const evaluationScript: z.ZodType<EvaluationScript> = z.strictObject({
  about: text,
  when: z.strictObject({ user_turns: z.array(text).min(1, "at least one turn is needed") }),
  answer: z.strictObject({
    language: text,
    customer_name: value,
    questions: orElse(z.record(text, question), {}),
    insights: orElse(z.record(text, value), {}),
    prospect_questions: orElse(
      z.array(z.strictObject({ ...quote, question: text, answer: reply })),
      [],
    ),
    objections: orElse(z.array(z.strictObject({ ...quote, objection: text, response: reply })), []),
    qualification: qualification.exactOptional(),
    conversation_summary: text,
    summary: text,
    prospect_summary: text,
  }),
});
