import { Source, fold } from "#language";
import type { Insight, Objection, ProspectQuestion, QuestionOutcome } from "@svc/contract/types";
import type { Answer, DropReason, Quote, Reply } from "../answer.ts";
import type { Surroundings } from "./transcript.ts";

/** Every configured question, with what is proven of it. */
export function checkQuestions(
  answer: Answer,
  { rubric, transcript, drop }: Surroundings,
): Record<string, QuestionOutcome> {
  const outcomes = rubric.questions.map(({ key }): [string, QuestionOutcome] => {
    const { asked, answered } = answer.questions.get(key) ?? {};
    const wasAsked =
      asked !== undefined &&
      !drop(`questions.${key}.asked`, transcript.faultOfQuote(asked, "assistant"));
    const wasAnswered =
      answered !== undefined &&
      !drop(
        `questions.${key}.answered`,
        transcript.faultOfQuote(answered, "user", {
          mayBeShort: wasAsked && transcript.replyTo(asked.turn) === answered.turn,
        }) ?? transcript.faultOfValue(answered.answer, answered.turn, rubric.recordLanguage),
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

export function checkInsights(
  answer: Answer,
  { rubric, transcript, drop }: Surroundings,
): Record<string, Insight> {
  const insights = rubric.insights.flatMap(({ key }): [string, Insight][] => {
    const claim = answer.insights.get(key);
    if (claim === undefined) return [];
    const fault =
      transcript.faultOfQuote(claim, "user") ??
      transcript.faultOfValue(claim.value, claim.turn, rubric.recordLanguage);
    if (drop(`insights.${key}`, fault)) return [];
    return [[key, { value: claim.value, evidence: transcript.excerpt(claim) }]];
  });
  return Object.fromEntries(insights);
}

export function checkProspectQuestions(answer: Answer, around: Surroundings): ProspectQuestion[] {
  return answer.prospectQuestions.flatMap((claim, index) => {
    const where = `prospect_questions[${index}]`;
    if (dropClaim(claim, claim.question, where, around)) return [];
    const reply = checkReply(claim.answer, `${where}.answer`, around);
    return [{ question: claim.question, ...(reply && { answer: reply }) }];
  });
}

export function checkObjections(answer: Answer, around: Surroundings): Objection[] {
  return answer.objections.flatMap((claim, index) => {
    const where = `objections[${index}]`;
    if (dropClaim(claim, claim.objection, where, around)) return [];
    const reply = checkReply(claim.response, `${where}.response`, around);
    return [{ objection: claim.objection, ...(reply && { response: reply }) }];
  });
}

function dropClaim(claim: Quote, value: string, where: string, around: Surroundings): boolean {
  const { rubric, transcript, drop } = around;
  const fault =
    transcript.faultOfQuote(claim, "user") ??
    transcript.faultOfValue(value, claim.turn, rubric.recordLanguage);
  return drop(where, fault);
}

/** What the agent answered may name the agent and its brand, whoever was talking of them. */
function checkReply(
  reply: Reply | undefined,
  where: string,
  { rubric, transcript, drop }: Surroundings,
): string | undefined {
  if (reply === undefined) return undefined;
  const names = rubric.names.map((name) => new Source(name));
  const fault =
    transcript.faultOfQuote(reply, "assistant") ??
    transcript.faultOfValue(reply.text, reply.turn, rubric.recordLanguage, names);
  return drop(where, fault) ? undefined : reply.text;
}

/**
 * The prospect's name: every word of it is in the turn that is quoted, or in the metadata. The agent
 * may have said it right before and they agreed, unless it is the agent's own.
 */
export function checkCustomerName(
  { customerName: claim }: Answer,
  { rubric, conversation, transcript, drop }: Surroundings,
): string | undefined {
  if (claim === undefined) return undefined;
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
  return drop("customer_name", fault) ? undefined : claim.value;
}
