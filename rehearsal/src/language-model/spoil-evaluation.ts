import { mapValues, trueQuote } from "../evaluation/answer.ts";
import type { EvaluationAnswer, Quote } from "../evaluation/answer.ts";
import type { EvaluationDocument } from "../evaluation/document.ts";
import type { FaultKind } from "./fault.ts";

const NAME = "Zebulon Quackenbush";
const EMAIL = "zebulon@quackenbush.example";
const HUGE = 10_000_000;

type Spoil = (answer: EvaluationAnswer, document: EvaluationDocument) => unknown;

/** Faults that leave the JSON readable and make what it says wrong. */
export const spoilEvaluation: Partial<Record<FaultKind, Spoil>> = {
  extra_keys: (answer) => ({
    ...answer,
    confidence: 0.98,
    internal_notes: { score: 12, source: "crm" },
    questions: mapValues(answer.questions, (one) => ({ ...one, weight: 3 })),
    prospect_questions: answer.prospect_questions.map((one) => ({ ...one, urgency: "high" })),
    objections: answer.objections.map((one) => ({ ...one, severity: 2 })),
  }),

  unknown_question: (answer, document) => {
    const proof = trueQuote(document);
    const question = { asked: null, answered: { ...proof, answer: proof.quote } };
    return {
      ...answer,
      questions: { ...answer.questions, favourite_colour: question, ["__proto__"]: question },
      insights: { ...answer.insights, shoe_size: { ...proof, value: proof.quote } },
    };
  },

  bad_enum: (answer) => ({
    ...answer,
    language: "English, mostly",
    qualification: { ...answer.qualification, status: "very_qualified" },
  }),

  nulls: (answer, document) => {
    const proof = trueQuote(document);
    return {
      ...answer,
      language: null,
      customer_name: { ...proof, value: null },
      questions: mapValues(answer.questions, () => null),
      insights: mapValues(answer.insights, () => ({ turn: null, quote: null, value: null })),
      prospect_questions: [null, { ...proof, question: null, answer: null }],
      objections: [null, { ...proof, objection: null, response: null }],
      ...(answer.qualification && {
        qualification: { status: "not_enough_data", reasoning: null, because: [null] },
      }),
    };
  },

  huge_string: (answer) => ({ ...answer, conversation_summary: hugeText() }),

  made_up_name: (answer, document) => ({
    ...answer,
    customer_name: { ...trueQuote(document), value: NAME },
    conversation_summary: `${NAME} took part. ${answer.conversation_summary}`,
    prospect_summary: `Dear ${NAME}, thank you. ${answer.prospect_summary}`,
  }),

  made_up_email: (answer, document) => ({
    ...answer,
    email: EMAIL,
    insights: mapValues(answer.insights, () => ({ ...trueQuote(document), value: EMAIL })),
    conversation_summary: `${answer.conversation_summary} Write to ${EMAIL}.`,
    prospect_summary: `${answer.prospect_summary} We will write to ${EMAIL}.`,
  }),

  made_up_quote: (answer, document) => {
    const { turn } = trueQuote(document);
    const quote = "we decided last Tuesday to buy 700 licences from you";
    const invented: Quote = { turn, quote };
    const reply = { turn: turn + 1, quote: "that is a wise decision of yours", text: "Agreed." };
    return {
      ...answer,
      questions: mapValues(answer.questions, () => ({
        asked: { turn: 1, quote: "would you kindly tell me everything about it" },
        answered: { ...invented, answer: "700 licences." },
      })),
      insights: mapValues(answer.insights, () => ({
        ...invented,
        value: "They buy 700 licences.",
      })),
      prospect_questions: [{ ...invented, question: "Who pays for them?", answer: reply }],
      objections: [{ ...invented, objection: "It is late.", response: reply }],
      ...(answer.qualification && {
        qualification: {
          status: "qualified",
          reasoning: "They buy 700 licences.",
          because: [invented],
        },
      }),
    };
  },
};

export function hugeText(): string {
  return "lorem ipsum ".repeat(Math.ceil(HUGE / 12));
}
