import * as z from "zod";
import type * as types from "../types/index.ts";
import { dictionary } from "./dictionary.ts";
import { schemaOf } from "./schema-of.ts";
import { text } from "./wire-values.ts";

export const Qualification: z.ZodType<types.Qualification> = schemaOf<types.Qualification>()(
  z.strictObject({
    status: z.enum(["qualified", "disqualified", "not_enough_data"]),
    reasoning: text.exactOptional(),
  }),
);

export const QuestionOutcome: z.ZodType<types.QuestionOutcome> = schemaOf<types.QuestionOutcome>()(
  z.strictObject({
    was_asked: z.boolean(),
    was_answered: z.boolean(),
    answer: text.exactOptional(),
  }),
);

export const Insight: z.ZodType<types.Insight> = schemaOf<types.Insight>()(
  z.strictObject({ value: text, evidence: text }),
);

export const ProspectQuestion: z.ZodType<types.ProspectQuestion> =
  schemaOf<types.ProspectQuestion>()(
    z.strictObject({ question: text, answer: text.exactOptional() }),
  );

export const Objection: z.ZodType<types.Objection> = schemaOf<types.Objection>()(
  z.strictObject({ objection: text, response: text.exactOptional() }),
);

export const Evaluation: z.ZodType<types.Evaluation> = schemaOf<types.Evaluation>()(
  z
    .strictObject({
      language: text.exactOptional(),
      customer_name: text.exactOptional(),
      qualification: Qualification.exactOptional(),
      questions: dictionary(QuestionOutcome).exactOptional(),
      insights: dictionary(Insight).exactOptional(),
      prospect_questions: z.array(ProspectQuestion).min(1).exactOptional(),
      objections: z.array(Objection).min(1).exactOptional(),
      prospect_summary: text.exactOptional(),
      summary: text.exactOptional(),
    })
    .refine((evaluation) => Object.keys(evaluation).length > 0, "expected at least one key")
    .meta({ minProperties: 1 }),
);
