import { list, mapOf, number, object, oneOf, optional, or, text, wrongValue } from "../shape.ts";
import type { Shape } from "../shape.ts";
import type { EvaluationAnswer, QualificationAnswer, Quote, Value } from "./answer.ts";

/** The answer to one known conversation. */
export interface EvaluationScript {
  about: string;
  when: {
    /** The visitor's first turns. */
    user_turns: string[];
  };
  answer: EvaluationAnswer;
}

const quote = { turn: number({ from: 0, to: 10_000, whole: true }), quote: text };
const reply = or(object({ ...quote, text }), null);
const value = or(object<Value>({ ...quote, value: text }), null);

const qualification = object<QualificationAnswer>({
  status: oneOf("qualified", "disqualified", "not_enough_data"),
  reasoning: or(text, ""),
  because: or(list(object<Quote>(quote)), []),
});

/** Claims and lists may be left out: null, or empty. */
export const evaluationScript: Shape<EvaluationScript> = object<EvaluationScript>({
  about: text,
  when: object({ user_turns: someTexts }),
  answer: object<EvaluationAnswer>({
    language: text,
    customer_name: value,
    questions: or(
      mapOf(
        object({
          asked: or(object<Quote>(quote), null),
          answered: or(object({ ...quote, answer: text }), null),
        }),
      ),
      {},
    ),
    insights: or(mapOf(value), {}),
    prospect_questions: or(list(object({ ...quote, question: text, answer: reply })), []),
    objections: or(list(object({ ...quote, objection: text, response: reply })), []),
    qualification: optional(qualification),
    conversation_summary: text,
    summary: text,
    prospect_summary: text,
  }),
});

function someTexts(given: unknown, at: string): string[] {
  const texts = list(text)(given, at);
  return texts.length > 0 ? texts : wrongValue(at, "at least one turn is needed");
}
