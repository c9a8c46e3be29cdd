import * as z from "zod";
import { parseJson } from "#platform";
import type { Answer, Dropped, QualificationClaim } from "./answer.ts";
import { statusOf } from "./check/check-qualification.ts";
import { itemsOf } from "./rubric-of.ts";
import type { Rubric } from "./rubric-of.ts";

/**
 * Reads what a model wrote. What is wrong with the whole comes back in words for a second try; what is
 * wrong inside one claim costs that claim only. Keys that are not configured are left behind.
 */
export function readAnswer(
  text: string,
  rubric: Rubric,
): { answer: Answer } | { problems: string[] } {
  if (text.length > MAX_ANSWER_CHARS)
    return { problems: [`The answer is longer than ${MAX_ANSWER_CHARS} characters.`] };
  let raw: unknown;
  try {
    raw = parseJson(CODE_FENCE.exec(text)?.[1] ?? text);
  } catch {
    return { problems: ["The answer is no JSON."] };
  }
  const parsed = (rubric.qualification ? JudgedWhole : Whole).safeParse(raw);
  if (!parsed.success) return { problems: problemsOf(parsed.error) };

  const whole = parsed.data;
  const dropped: Dropped[] = [];
  const read = <T>(claim: z.ZodType<T>, value: unknown, where: string): T | undefined => {
    if (value === undefined || value === null) return undefined;
    const { success, data } = claim.safeParse(value);
    if (!success) dropped.push({ where, why: "malformed" });
    return data;
  };
  const readKeys = <T>(
    list: { key: string }[],
    found: Map<string, unknown>,
    readKey: (value: unknown, key: string) => T | undefined,
  ): Map<string, T> =>
    new Map(
      list.flatMap(({ key }) => {
        const claim = readKey(found.get(key), key);
        return claim === undefined ? [] : [[key, claim]];
      }),
    );
  const readList = <T>(
    claim: z.ZodType<T>,
    values: unknown[],
    where: string,
  ): { item: T; at: string }[] => {
    if (values.length > MAX_ITEMS) dropped.push({ where, why: "malformed" });
    return values.slice(0, MAX_ITEMS).flatMap((value, index) => {
      const at = `${where}[${index}]`;
      const item = read(claim, value, at);
      return item === undefined ? [] : [{ item, at }];
    });
  };

  const readQualification = (): QualificationClaim | undefined => {
    const claim = rubric.qualification && read(Qualification, whole.qualification, "qualification");
    if (claim === undefined) return undefined;
    const criteria = itemsOf(rubric.qualification);
    const before = dropped.length;
    const items = readKeys(criteria, claim.items, (value, key) =>
      read(Item, value, `qualification.${key}`),
    );
    // Its reasoning may rest on what cannot be read.
    if (dropped.length > before) return undefined;
    const claimed = statusOf(
      criteria.map(({ key, side }) => ({ side, isMet: items.get(key)?.verdict === "met" })),
    );
    const list = [...items].map(([key, item]) => ({ key, ...item }));
    return { items: list, claimed, reasoning: claim.reasoning };
  };

  const answer: Answer = {
    language: read(Code, whole.language, "language"),
    customerName: read(Name, whole.customer_name, "customer_name"),
    questions: readKeys(rubric.questions, whole.questions, (value, key) => {
      const question = read(Question, value, `questions.${key}`);
      return (
        question && {
          asked: read(Quote, question.asked, `questions.${key}.asked`),
          answered: read(Answered, question.answered, `questions.${key}.answered`),
        }
      );
    }),
    insights: readKeys(rubric.insights, whole.insights, (value, key) =>
      read(Value, value, `insights.${key}`),
    ),
    prospectQuestions: readList(
      ProspectQuestion,
      whole.prospect_questions,
      "prospect_questions",
    ).map(({ item, at }) => ({ ...item, answer: read(Reply, item.answer, `${at}.answer`) })),
    objections: readList(Objection, whole.objections, "objections").map(({ item, at }) => ({
      ...item,
      response: read(Reply, item.response, `${at}.response`),
    })),
    qualification: readQualification(),
    toTheJudge: readList(Quote, whole.to_the_judge ?? [], "to_the_judge").map(({ item }) => item),
    conversationSummary: whole.conversation_summary,
    summary: whole.summary,
    prospectSummary: whole.prospect_summary,
    dropped,
  };
  return { answer };
}

/** Ten times what is said about an hour's talk. A model that writes more is caught in a loop. */
const MAX_ANSWER_CHARS = 200_000;
/** Longer than anybody speaks without a pause; evidence is read by people. */
const MAX_QUOTE_CHARS = 2_000;
/** Answers, insights, objections: a sentence or two, shown in one cell of a table. */
const MAX_VALUE_CHARS = 1_000;
/** Longer than any name that a form takes. */
const MAX_NAME_CHARS = 200;
/** One paragraph, and more than three times what is asked for. */
const MAX_SUMMARY_CHARS = 4_000;
/** The length that BCP 47 requires implementations to accept. */
const MAX_CODE_CHARS = 35;
/** Questions or objections of one talk. Beyond it a model repeats itself. */
const MAX_ITEMS = 50;
/** Reasons for one verdict. */
const MAX_REASONS = 20;

/** Some models put their JSON into a block of Markdown. */
const CODE_FENCE = /^\s*```(?:json)?\s*\n([^]*)\n\s*```\s*$/i;

function line(max: number): z.ZodString {
  return prose(max).min(1);
}

/** NUL cannot be stored, and a lone surrogate is no Unicode. */
function prose(max: number): z.ZodString {
  return z
    .string()
    .overwrite((text) => text.toWellFormed().replaceAll("\0", "\uFFFD").trim())
    .max(max);
}

/** Null, absent or a claim of its own. */
const maybe = z.unknown().optional();
const Code = line(MAX_CODE_CHARS);
const quote = { turn: z.int().min(0), quote: line(MAX_QUOTE_CHARS) };
const Quote = z.object(quote);
const Name = z.object({ ...quote, value: line(MAX_NAME_CHARS) });
const Value = z.object({ ...quote, value: line(MAX_VALUE_CHARS) });
const Question = z.object({ asked: maybe, answered: maybe });
const Answered = z.object({ ...quote, answer: line(MAX_VALUE_CHARS) });
const Reply = z.object({ ...quote, text: line(MAX_VALUE_CHARS) });
const ProspectQuestion = z.object({
  ...quote,
  question: line(MAX_VALUE_CHARS),
  answer: maybe,
});
const Objection = z.object({ ...quote, objection: line(MAX_VALUE_CHARS), response: maybe });
const Item = z.object({
  verdict: z.enum(["met", "unmet", "unknown"]),
  because: z.array(Quote).max(MAX_REASONS),
});

/** Reads own keys only: `constructor` may be a configured key, and every object inherits one. */
const byKey = z
  .custom<object>((value) => typeof value === "object" && value !== null && !Array.isArray(value))
  .transform((fields) => new Map<string, unknown>(Object.entries(fields)));

const Qualification = z.object({ items: byKey, reasoning: prose(MAX_SUMMARY_CHARS) });

const Whole = z.object({
  to_the_judge: z.array(z.unknown()).nullish(),
  language: maybe,
  customer_name: maybe,
  questions: byKey,
  insights: byKey,
  prospect_questions: z.array(z.unknown()),
  objections: z.array(z.unknown()),
  qualification: maybe,
  conversation_summary: line(MAX_SUMMARY_CHARS),
  summary: line(MAX_SUMMARY_CHARS),
  prospect_summary: line(MAX_SUMMARY_CHARS),
});

const JudgedWhole = Whole.extend({ qualification: z.looseObject({}) });

/** Returns the problems by field, without the values: they may be what a visitor said. */
function problemsOf(error: z.ZodError): string[] {
  const fields = new Set(error.issues.map(({ path }) => path[0]));
  return [...fields].map((field) =>
    field === undefined
      ? "The answer is no JSON object."
      : `"${String(field)}" must be ${WANTED[String(field)] ?? "there"}.`,
  );
}

const SUMMARY = `a text of 1 to ${MAX_SUMMARY_CHARS} characters`;

const WANTED: Record<string, string> = {
  questions: "an object with every key of the questions",
  insights: "an object with every key of the insights",
  prospect_questions: "a list",
  objections: "a list",
  qualification: "an object with items and reasoning",
  conversation_summary: SUMMARY,
  summary: SUMMARY,
  prospect_summary: SUMMARY,
};
