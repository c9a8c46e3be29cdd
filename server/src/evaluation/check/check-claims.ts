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
  claim: Omit<Claim, "quotes" | "notFound">,
  { turn, quote }: Quote,
  { rubric, transcript, drop, isShown }: Surroundings,
  options: { mayBeShort?: boolean } = {},
): boolean {
  const fault =
    transcript.faultOfQuote({ turn, quote }, "user", options) ??
    transcript.faultOfValue(claim.says);
  if (drop(claim.where, fault)) return false;
  const notFound = transcript.notFound(claim.says, turn, rubric.recordLanguage);
  return isShown({ ...claim, quotes: [{ turn, quote }], notFound });
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
  const notFound = transcript.notFound(text, turn, rubric.recordLanguage, names);
  const quotes = [{ turn, quote }];
  return isShown({ where, kind: "reply", says: text, quotes, notFound }) ? text : undefined;
}

/**
 * The prospect's name: every word of it is in the turn that is quoted, or in the metadata. The agent
 * may have said it right before and they agreed, unless it is the agent's own.
 */
export function checkCustomerName(
  { customerName: claim }: Answer,
  { rubric, conversation, transcript, drop, isShown }: Surroundings,
): string | undefined {
  if (claim === undefined) return undefined;
  const where = "customer_name";
  const words = fold(claim.value).trim().split(" ");
  const are = (sources: Source[]): boolean =>
    words.every((word) => sources.some((source) => source.says(word)));
  let fault: DropReason | undefined;
  if (claim.turn === 0) {
    const values = Object.values(conversation.metadata).map((value) => new Source(value));
    const quoted = values.filter((value) => value.says(claim.quote));
    if (quoted.length === 0) fault = "not_heard";
    else if (!quoted.some((value) => are([value]))) fault = "ungrounded";
  } else {
    const [said, ...before] = transcript.near(claim.turn);
    const own = new Source(rubric.names.join(" "));
    const isOwn = words.some((word) => own.says(word) && said?.says(word) !== true);
    fault = transcript.faultOfQuote(claim, "user", {
      mayBeShort: transcript.followsQuestion(claim.turn),
    });
    if (said === undefined || isOwn || !are([said, ...before])) fault ??= "ungrounded";
  }
  if (drop(where, fault)) return undefined;
  const { turn, quote, value } = claim;
  const what = { where, kind: "name", says: value, quotes: [{ turn, quote }] } as const;
  return isShown({ ...what, quotes: [...what.quotes], notFound: [] }) ? value : undefined;
}
