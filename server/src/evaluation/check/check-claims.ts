import { Source, fold } from "#language";
import type { Insight, Objection, ProspectQuestion, QuestionOutcome } from "@svc/contract/types";
import type { Answer, DropReason, Quote, Reply } from "../answer.ts";
import type { Claim } from "../verify/claims-prompt.ts";
import type { Surroundings } from "./transcript.ts";

/** Every configured question, with what is proven of it. */
export function checkQuestions(
  answer: Answer,
  around: Surroundings,
): Record<string, QuestionOutcome> {
  const { rubric, transcript, drop } = around;
  const outcomes = rubric.questions.map(({ key, text }): [string, QuestionOutcome] => {
    const { asked, answered } = answer.questions.get(key) ?? {};
    const wasAsked =
      asked !== undefined &&
      !drop(`questions.${key}.asked`, transcript.faultOfQuote(asked, "assistant"));
    const wasAnswered =
      answered !== undefined &&
      isKept(
        { where: `questions.${key}.answered`, kind: "answer", about: text, says: answered.answer },
        answered,
        around,
        { mayBeShort: wasAsked && transcript.replyTo(asked.turn) === answered.turn },
      );
    return [
      key,
      {
        was_asked: wasAsked,
        was_answered: wasAnswered,
        ...(wasAnswered && { answer: answered.answer }),
      },
    ];
  });
  return Object.fromEntries(outcomes);
}

export function checkInsights(answer: Answer, around: Surroundings): Record<string, Insight> {
  const { rubric, transcript } = around;
  const insights = rubric.insights.flatMap(({ key, text }): [string, Insight][] => {
    const claim = answer.insights.get(key);
    if (claim === undefined) return [];
    const what = { where: `insights.${key}`, kind: "insight", about: text } as const;
    if (!isKept({ ...what, says: claim.value }, claim, around)) return [];
    return [[key, { value: claim.value, evidence: transcript.excerpt(claim) }]];
  });
  return Object.fromEntries(insights);
}

export function checkProspectQuestions(answer: Answer, around: Surroundings): ProspectQuestion[] {
  return answer.prospectQuestions.flatMap((claim, index) => {
    const where = `prospect_questions[${index}]`;
    if (!isKept({ where, kind: "question", says: claim.question }, claim, around)) return [];
    const reply = checkReply(claim.answer, `${where}.answer`, around);
    return [{ question: claim.question, ...(reply && { answer: reply }) }];
  });
}

export function checkObjections(answer: Answer, around: Surroundings): Objection[] {
  return answer.objections.flatMap((claim, index) => {
    const where = `objections[${index}]`;
    if (!isKept({ where, kind: "objection", says: claim.objection }, claim, around)) return [];
    const reply = checkReply(claim.response, `${where}.response`, around);
    return [{ objection: claim.objection, ...(reply && { response: reply }) }];
  });
}

/** Its quote is the visitor's, and the conversation shows what it says. */
function isKept(
  { where, ...claim }: Omit<Claim, "quotes" | "notFound">,
  { turn, quote }: Quote,
  { rubric, transcript, drop, isShown }: Surroundings,
  options: { mayBeShort?: boolean } = {},
): boolean {
  const fault =
    transcript.faultOfQuote({ turn, quote }, "user", options) ??
    transcript.faultOfValue(claim.says);
  if (drop(where, fault)) return false;
  return isShown(where, () => ({
    ...claim,
    quotes: [{ turn, quote }],
    notFound: transcript.notFound(claim.says, turn, rubric.recordLanguage),
  }));
}

/** What the agent answered may name the agent and its brand, whoever was talking of them. */
function checkReply(
  reply: Reply | undefined,
  where: string,
  { rubric, transcript, drop, isShown }: Surroundings,
): string | undefined {
  if (reply === undefined) return undefined;
  const { turn, quote, text } = reply;
  const fault = transcript.faultOfQuote(reply, "assistant") ?? transcript.faultOfValue(text);
  if (drop(where, fault)) return undefined;
  const names = rubric.names.map((name) => new Source(name));
  const isSaid = isShown(where, () => ({
    kind: "reply",
    says: text,
    quotes: [{ turn, quote }],
    notFound: transcript.notFound(text, turn, rubric.recordLanguage, names),
  }));
  return isSaid ? text : undefined;
}

/**
 * The prospect's name. Every word of it should be in the turn that is quoted, in the one before, or in the
 * metadata's value; where it is not, such as a name that was spelled, it is doubtful.
 */
export function checkCustomerName(
  { customerName: claim }: Answer,
  { rubric, conversation, transcript, drop, isShown }: Surroundings,
): string | undefined {
  if (claim === undefined) return undefined;
  const { turn, quote, value } = claim;
  const where = "customer_name";
  const values = Object.values(conversation.metadata).map((text) => new Source(text));
  const quoted = values.filter((text) => text.says(quote));
  const mayBeShort = transcript.followsQuestion(turn);
  const unquoted = quoted.length === 0 ? "not_heard" : undefined;
  const fault: DropReason | undefined =
    turn === 0 ? unquoted : transcript.faultOfQuote(claim, "user", { mayBeShort });
  if (drop(where, fault)) return undefined;
  const [said, ...before] = turn === 0 ? quoted : transcript.near(turn);
  const own = new Source(rubric.names.join(" "));
  const isFound = (word: string): boolean =>
    said?.says(word) === true ||
    (turn !== 0 && !own.says(word) && before.some((source) => source.says(word)));
  const isTheirs = isShown(where, () => ({
    kind: "name",
    says: value,
    quotes: [{ turn, quote }],
    notFound: fold(value)
      .trim()
      .split(" ")
      .filter((word) => !isFound(word)),
  }));
  return isTheirs ? value : undefined;
}
