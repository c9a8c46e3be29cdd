import { itemsOf } from "./rubric-of.ts";
import type { Rubric } from "./rubric-of.ts";

/**
 * The JSON schema of a model's answer, with the agent's own keys. Strict: models that are held to a
 * schema want every property required and nothing beside them, so what is absent is null.
 */
export function answerSchema({ questions, insights, qualification }: Rubric): JsonSchema {
  const question = object({
    asked: orNull(claim({})),
    answered: orNull(claim({ answer: TEXT })),
  });
  const keyed = (list: { key: string }[], value: JsonSchema): JsonSchema =>
    object(Object.fromEntries(list.map(({ key }) => [key, value])));
  const reply = orNull(claim({ text: TEXT }));
  return object({
    // First: what is found here must not colour the rest.
    to_the_judge: listOf(claim({})),
    language: TEXT,
    customer_name: orNull(claim({ value: TEXT })),
    questions: keyed(questions, question),
    insights: keyed(insights, orNull(claim({ value: TEXT }))),
    prospect_questions: listOf(claim({ question: TEXT, answer: reply })),
    objections: listOf(claim({ objection: TEXT, response: reply })),
    ...(qualification && {
      qualification: object({
        items: keyed(
          itemsOf(qualification),
          // The reasons come first: a model that has named its verdict looks for reasons to fit it.
          object({ because: listOf(claim({})), verdict: { type: "string", enum: VERDICTS } }),
        ),
        reasoning: TEXT,
      }),
    }),
    conversation_summary: TEXT,
    summary: TEXT,
    prospect_summary: TEXT,
  });
}

type JsonSchema = Record<string, unknown>;

const VERDICTS = ["met", "unmet", "unknown"];
const TEXT: JsonSchema = { type: "string" };

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function claim(value: Record<string, JsonSchema>): JsonSchema {
  return object({ turn: { type: "integer" }, quote: TEXT, ...value });
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}
