import type { Evaluation, Insight, Qualification } from "@svc/contract/types";
import { capital } from "./conversation.ts";
import type { Conversation, Plot } from "./conversation.ts";
import { fillIn, RECORD } from "./phrases.ts";
import type { Phrases } from "./phrases.ts";

/** Writes the evaluation of a conversation, in English except for quotes and the message to the visitor. */
export function evaluate(
  language: string,
  plot: Plot,
  told: Conversation,
  phrases: Phrases,
): Evaluation {
  const { first, last } = plot.person;
  const qualification = qualify(plot, told);
  const insights = insightsOf(plot, told, phrases);
  return {
    language,
    ...(plot.introducesThemselves && { customer_name: `${first} ${last}` }),
    qualification,
    questions: told.questions,
    ...(Object.keys(insights).length > 0 && { insights }),
    ...(told.prospectQuestions.length > 0 && { prospect_questions: told.prospectQuestions }),
    ...(told.objections.length > 0 && { objections: told.objections }),
    ...("need" in plot.reason && {
      prospect_summary: fillIn(
        phrases.prospectSummary[plot.introducesThemselves ? "named" : "unnamed"],
        { ...plot.person, topic: phrases.needs[plot.reason.need].topic },
      ),
    }),
    summary: `${VERDICTS[qualification.status]} ${qualification.reasoning}`,
  };
}

/** One paragraph about the conversation. */
export function summarize(plot: Plot, told: Conversation): string {
  const { first, last, company } = plot.person;
  const who = plot.introducesThemselves ? `${first} ${last} of ${company}` : "The visitor";
  const came =
    "need" in plot.reason
      ? `is looking for ${RECORD.needs[plot.reason.need].replace(/^to /, "a way to ")}`
      : RECORD.unfit[plot.reason.unfit];
  const asked = told.prospectQuestions.map(({ question }) => question);
  return [
    `${who} ${came}.`,
    ...(asked.length > 0 ? [`They asked: ${asked.join(" ")}`] : []),
    ...told.objections.map(({ objection }) => `A worry was raised. ${objection}`),
    ...(told.questions.timeline.was_answered
      ? [`Time frame: ${RECORD.timelines[plot.timeline!].toLowerCase()}.`]
      : []),
    ...(told.confirmedEmail ? ["They asked for a summary by email."] : []),
  ].join(" ");
}

const VERDICTS = {
  qualified: "A good fit.",
  disqualified: "Not a prospect.",
  not_enough_data: "Still open.",
} as const;

/** By the example agent's criteria: a product to explain, and a start within six months. */
function qualify(plot: Plot, { questions }: Conversation): Qualification & { reasoning: string } {
  if ("unfit" in plot.reason) {
    return { status: "disqualified", reasoning: `The visitor ${RECORD.unfit[plot.reason.unfit]}.` };
  }
  const isSoon = plot.timeline === "this_month" || plot.timeline === "this_quarter";
  if (questions.timeline.was_answered && isSoon) {
    const when = RECORD.timelines[plot.timeline!].toLowerCase();
    return {
      status: "qualified",
      reasoning: `They look for ${RECORD.needs[plot.reason.need].replace(/^to /, "a way to ")} and want to start ${when}.`,
    };
  }
  return {
    status: "not_enough_data",
    reasoning: questions.timeline.was_answered
      ? "The need is clear, a start within six months is not."
      : "The need is clear, but the conversation does not show when they want to start.",
  };
}

function insightsOf(
  { currentTool, decider, remarks }: Plot,
  told: Conversation,
  phrases: Phrases,
): Record<string, Insight> {
  const worry = remarks.find((remark) => "objection" in remark);
  return {
    ...(currentTool !== undefined && {
      current_tool: {
        value: RECORD.currentTools[currentTool],
        evidence: phrases.currentTools[currentTool],
      },
    }),
    ...(decider !== undefined &&
      told.saidGoodbye && {
        decision: { value: RECORD.deciders[decider], evidence: phrases.deciders[decider] },
      }),
    ...(worry !== undefined &&
      told.objections.length > 0 && {
        concern: {
          value: capital(RECORD.objections[worry.objection].objection),
          evidence: phrases.objections[worry.objection].said,
        },
      }),
  };
}
