import type { Named } from "../read-scripts.ts";
import type { EvaluationAnswer, Value } from "./answer.ts";
import type { EvaluationDocument } from "./document.ts";
import { judgeByRules } from "./judge-by-rules.ts";
import type { Wordings } from "./judge-by-rules.ts";
import type { EvaluationScript } from "./script.ts";

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
