import * as z from "zod";
import type { Named } from "../read-scripts.ts";
import { orElse } from "../read-value.ts";
import type { EvaluationAnswer, Value } from "./answer.ts";
import type { EvaluationDocument } from "./document.ts";
import { judgeByRules } from "./judge-by-rules.ts";
import type { Wordings } from "./judge-by-rules.ts";

/** An answer, and the script that gave it, or "rules". */
export interface Evaluated {
  answer: EvaluationAnswer;
  by: string;
}

/** From the script with the most turns that fits, else by rules. */
export function evaluationAnswerer(
  scripts: Named<EvaluationScript>[],
  wordings?: Wordings,
): (document: EvaluationDocument) => Evaluated {
  const byTurns = new Map<string, Named<EvaluationScript>>();
  for (const named of scripts) {
    const turns = named.script.when.user_turns;
    const rival = byTurns.get(turnsKey(turns));
    if (rival !== undefined) {
      throw new Error(`${named.name} and ${rival.name} are for the same turns. Keep one.`);
    }
    byTurns.set(turnsKey(turns), named);
  }
  const lengths = [...new Set(scripts.map(({ script }) => script.when.user_turns.length))];
  lengths.sort((one, other) => other - one);

  return (document) => {
    const said = document.transcript.filter((turn) => turn.role === "user");
    const turns = said.map((turn) => turn.heard);
    const fitting = lengths
      .filter((length) => length <= turns.length)
      .map((length) => byTurns.get(turnsKey(turns.slice(0, length))))
      .find((named) => named !== undefined);
    return fitting === undefined
      ? { answer: judgeByRules(document, wordings), by: "rules" }
      : { answer: completed(fitting.script.answer, document), by: fitting.name };
  };
}

function turnsKey(turns: string[]): string {
  return turns.map((turn) => turn.trim().replaceAll(/\s+/g, " ")).join("\n");
}

/** A strict schema lets no key out that it does not name, nor leaves one out. */
function completed(
  { qualification, ...scripted }: EvaluationAnswer,
  document: EvaluationDocument,
): EvaluationAnswer {
  const questions = new Map(Object.entries(scripted.questions));
  const insights = new Map(Object.entries(scripted.insights));
  return {
    ...scripted,
    customer_name: isUnknown(scripted.customer_name, document) ? null : scripted.customer_name,
    questions: Object.fromEntries(
      document.questions.map(({ key }) => [
        key,
        questions.get(key) ?? { asked: null, answered: null },
      ]),
    ),
    insights: Object.fromEntries(
      document.insights.map(({ key }) => [key, insights.get(key) ?? null]),
    ),
    ...(document.qualification && {
      qualification: qualification ?? { status: "not_enough_data", reasoning: "", because: [] },
    }),
  };
}

/** A name that the script takes from metadata which the request does not have. */
function isUnknown(name: Value | null, { metadata }: EvaluationDocument): boolean {
  return name?.turn === 0 && !Object.values(metadata).includes(name.quote);
}

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
