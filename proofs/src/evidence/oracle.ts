import { Evaluation as EvaluationSchema } from "@svc/contract/schemas";
import type { Judgement } from "@svc/server/testing";
import { loose } from "./claims.ts";
import type { Case } from "./model-output.ts";

export type Checked = Judgement["checked"];

/** What is wrong with what was published: `MADE UP` where it was never said, `LOST` where it was. */
export function faultsIn({ talk, expected }: Case, checked: Checked | undefined): string[] {
  if (checked === undefined)
    return expected === undefined ? [] : ["LOST: all of a readable answer"];
  if (expected === undefined) return ["MADE UP: an evaluation out of nothing"];
  const { evaluation, summary } = checked;
  const faults: string[] = [];
  const compare = (what: string, got: unknown, wanted: unknown): void => {
    if (got === wanted) return;
    const kind = isLess(got, wanted) ? "LOST" : "MADE UP";
    faults.push(`${kind}: ${what} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
  };
  const compareKeys = (what: string, got: object, wanted: Iterable<string>): void =>
    compare(
      `the keys of ${what}`,
      Object.keys(got).toSorted().join(),
      [...wanted].toSorted().join(),
    );

  const parsed = EvaluationSchema.safeParse(evaluation);
  if (!parsed.success)
    faults.push(`MADE UP: against the contract, ${parsed.error.issues[0]?.message}`);
  if (holdsNothing(checked)) faults.push("MADE UP: null or emptiness");

  compare("language", evaluation.language, expected.language);
  compare("customer_name", evaluation.customer_name, expected.customerName);
  compare("status", evaluation.qualification?.status, expected.status);
  compare("reasoning", evaluation.qualification?.reasoning, expected.reasoning);
  compare("conversation_summary", summary, expected.conversationSummary);
  compare("summary", evaluation.summary, expected.summary);
  compare("prospect_summary", evaluation.prospect_summary, expected.prospectSummary);

  compareKeys("questions", evaluation.questions ?? {}, expected.questions.keys());
  for (const [key, { asked, answer }] of expected.questions) {
    const got = evaluation.questions?.[key];
    compare(`was_asked of ${key}`, got?.was_asked, asked);
    compare(`was_answered of ${key}`, got?.was_answered, answer !== undefined);
    compare(`answer of ${key}`, got?.answer, answer);
  }
  compareKeys("insights", evaluation.insights ?? {}, expected.insights.keys());
  const said = talk.conversation.turns.filter(({ role }) => role === "user");
  for (const [key, { value, evidence }] of Object.entries(evaluation.insights ?? {})) {
    const wanted = expected.insights.get(key);
    compare(`value of ${key}`, value, wanted?.value);
    if (!said.some(({ content }) => content.includes(evidence)))
      faults.push(`MADE UP: ${JSON.stringify(evidence)} is not in the visitor's words`);
    if (!loose(evidence).includes(loose(wanted?.quoted ?? "")))
      faults.push(`LOST: ${JSON.stringify(wanted?.quoted)} in the evidence of ${key}`);
  }
  compare(
    "prospect_questions",
    evaluation.prospect_questions?.map((one) => `${one.question} → ${one.answer}`).join("; "),
    listed(expected.prospectQuestions),
  );
  compare(
    "objections",
    evaluation.objections?.map((one) => `${one.objection} → ${one.response}`).join("; "),
    listed(expected.objections),
  );
  return faults;
}

function isLess(got: unknown, wanted: unknown): boolean {
  if (got === undefined || got === false || got === "not_enough_data") return true;
  if (typeof got !== "string" || typeof wanted !== "string") return false;
  return wanted !== "not_enough_data" && got.length < wanted.length;
}

function listed(items: { value: string; reply: string | undefined }[]): string | undefined {
  if (items.length === 0) return undefined;
  return items.map(({ value, reply }) => `${value} → ${reply}`).join("; ");
}

/** Looks everywhere but into the list of what was dropped, which may be empty. */
function holdsNothing({ evaluation, summary }: Checked): boolean {
  const isNothing = (value: unknown): boolean => {
    if (value === null || value === "") return true;
    if (typeof value !== "object") return false;
    const inner = Object.values(value);
    return inner.length === 0 || inner.some(isNothing);
  };
  return isNothing(evaluation) || summary === "";
}
