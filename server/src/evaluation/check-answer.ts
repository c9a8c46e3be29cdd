import type { Evaluation } from "@svc/contract/types";
import type { Answer, Dropped } from "./answer.ts";
import {
  checkCustomerName,
  checkInsights,
  checkObjections,
  checkProspectQuestions,
  checkQuestions,
} from "./check/check-claims.ts";
import { proseCheck } from "./check/check-prose.ts";
import { checkQualification } from "./check/check-qualification.ts";
import { Secrets } from "./check/secrets.ts";
import { Transcript } from "./check/transcript.ts";
import type { Surroundings } from "./check/transcript.ts";
import type { Conversation, Rubric } from "./rubric-of.ts";
import type { Claim } from "./verify/claims-prompt.ts";

/** The part of an answer that may be published. */
export interface CheckedAnswer {
  /** For the session's `summary`; absent when nothing of it is proven. */
  summary: string | undefined;
  evaluation: Evaluation;
  /** The claims that were dropped and why, for the operator. Holds no personal data: a place and a reason code. */
  dropped: Dropped[];
}

/**
 * The only way from an answer to something published: whatever the conversation does not show stays behind.
 *
 * @param isShown what is known of a claim; everything that rules have nothing against unless told.
 */
export function checkAnswer(
  answer: Answer,
  rubric: Rubric,
  conversation: Conversation,
  isShown: (where: string, claim: () => Claim) => boolean = () => true,
): CheckedAnswer {
  const dropped = [...answer.dropped];
  const secrets = new Secrets(rubric, conversation);
  const around: Surroundings = {
    rubric,
    conversation,
    secrets,
    transcript: new Transcript(conversation, secrets),
    language: agentLanguage(answer.language, rubric),
    drop(where, why) {
      if (why !== undefined) dropped.push({ where, why });
      return why !== undefined;
    },
    isShown: (where, claim) =>
      isShown(where, () => ({ where, ...claim() })) || !around.drop(where, "not_shown"),
  };
  const { recordLanguage } = rubric;
  const { language, transcript } = around;
  const keepProse = proseCheck(around);

  const customerName = checkCustomerName(answer, around);
  const questions = checkQuestions(answer, around);
  const answeredIn = new Set(
    [...answer.questions].flatMap(([key, { asked }]) =>
      asked !== undefined && questions[key]?.was_asked === true
        ? (transcript.replyTo(asked.turn) ?? [])
        : [],
    ),
  );
  const evaluation: Evaluation = {
    language,
    ...ifAny("customer_name", customerName),
    qualification: checkQualification(answer, around, answeredIn, keepProse),
    ...ifAny("questions", questions),
    ...ifAny("insights", checkInsights(answer, around)),
    ...ifAny("prospect_questions", checkProspectQuestions(answer, around)),
    ...ifAny("objections", checkObjections(answer, around)),
    ...ifAny(
      "prospect_summary",
      keepProse(answer.prospectSummary, language, "prospect_summary", { toProspect: true }),
    ),
    ...ifAny("summary", keepProse(answer.summary, recordLanguage, "summary")),
  };
  const summary = keepProse(answer.conversationSummary, recordLanguage, "conversation_summary");
  return { summary, evaluation, dropped };
}

/** The claims of an answer that rules have nothing against, and what they drop. */
export function claimsToVerify(
  answer: Answer,
  rubric: Rubric,
  conversation: Conversation,
): { claims: Claim[]; dropped: Dropped[] } {
  const claims: Claim[] = [];
  const collect = (_: string, claim: () => Claim): boolean => claims.push(claim()) > 0;
  const { dropped } = checkAnswer(answer, rubric, conversation, collect);
  return { claims, dropped };
}

/** A key is present only when it has a value, and empty is none. */
function ifAny<K extends string, V extends string | object>(
  key: K,
  value: V | undefined,
): { [key in K]?: V } {
  const isEmpty = typeof value === "object" ? Object.keys(value).length === 0 : !value;
  return isEmpty ? {} : ({ [key]: value } as { [key in K]: V });
}

/** The agent's code for it, of another region if need be; else the agent speaks its default. */
function agentLanguage(
  claimed: string | undefined,
  { languages, defaultLanguage }: Rubric,
): string {
  const [base] = (claimed ?? "").toLowerCase().split("-");
  return (
    languages.find((code) => code.toLowerCase() === claimed?.toLowerCase()) ??
    languages.find((code) => code.toLowerCase().split("-")[0] === base) ??
    defaultLanguage
  );
}
