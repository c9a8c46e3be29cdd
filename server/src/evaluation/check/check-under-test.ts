import type { Evaluation } from "@svc/contract/types";
import type { DropReason } from "../answer.ts";
import { checkAnswer } from "../check-answer.ts";
import type { CheckedAnswer } from "../check-answer.ts";
import type { Conversation, Rubric } from "../rubric-of.ts";
import { readAnswer } from "../read-answer.ts";
import type { Claim } from "../verify/claims-prompt.ts";

/** A talk for tests: every claim in `HONEST` is true of it. */
export const RUBRIC: Rubric = {
  names: ["Ivo", "Tidepool"],
  languages: ["en", "de"],
  defaultLanguage: "en",
  recordLanguage: "en",
  questions: [
    { key: "team_size", text: "How many people would use it?" },
    { key: "tool", text: "Which tool do you use today?" },
    { key: "timeline", text: "When would you like to start?" },
  ],
  insights: [
    { key: "main_need", text: "What they need most, in one or two words" },
    { key: "site", text: "Where the team works from every day" },
  ],
  qualification: {
    qualified: "A team of ten or more that wants to start this year.",
    disqualified: "They only look for a job.",
  },
  knowledge: [
    "# Prices\nTidepool costs 40 euros per seat. It runs in Frankfurt and is audited by Lindqvist.",
  ],
};

export const CONVERSATION: Conversation = {
  metadata: { email: "Ada.Okafor@example.com", plan: "trial" },
  turns: [
    turn("assistant", "Hello, I'm Ivo, the AI guide of Tidepool. How many people would use it?"),
    turn("user", "Twenty-five."),
    turn("assistant", "Great. And which tool do you use today?"),
    turn("user", "We have been on ZenQueue since March, and honestly it’s slow."),
    turn("assistant", "Tidepool answers within two seconds, even with 300 mailboxes and", true),
    turn("user", "Hold on. What does it cost? Our office in Gdańsk asked for that first."),
    turn("assistant", "It is 40 euros per seat and month."),
    turn("assistant", "You can cancel at any time."),
    turn("user", "That's too expensive for us, I'm afraid. I'm Ada, by the way."),
    turn("assistant", "Then start with ten seats. Is it Ada Okafor?"),
    turn("user", "Yes, indeed. Let's do that."),
  ],
};

function turn(
  role: "user" | "assistant",
  content: string,
  interrupted = false,
): Conversation["turns"][number] {
  return { role, content, interrupted };
}

/** A model's answer to that talk, as it comes. */
export const HONEST = {
  to_the_judge: [],
  language: "en",
  customer_name: { turn: 9, quote: "I'm Ada, by the way", value: "Ada" },
  questions: {
    team_size: {
      asked: { turn: 1, quote: "How many people would use it?" },
      answered: { turn: 2, quote: "Twenty-five", answer: "25 people" },
    },
    tool: {
      asked: { turn: 3, quote: "which tool do you use today" },
      answered: { turn: 4, quote: "We have been on ZenQueue since March", answer: "ZenQueue" },
    },
    timeline: { asked: null, answered: null },
  },
  insights: {
    main_need: { turn: 4, quote: "honestly it's SLOW", value: "Faster answers" },
    site: { turn: 6, quote: "our office in gdańsk asked", value: "an office in Gdańsk" },
  },
  prospect_questions: [
    {
      turn: 6,
      quote: "What does it cost?",
      question: "What does it cost?",
      answer: {
        turn: 7,
        quote: "It is 40 euros per seat",
        text: "Tidepool costs 40 euros per seat.",
      },
    },
  ],
  objections: [
    {
      turn: 9,
      quote: "That's too expensive for us",
      objection: "It is too expensive.",
      response: { turn: 10, quote: "start with ten seats", text: "They may start with 10 seats." },
    },
  ],
  qualification: {
    items: {
      qualified: {
        because: [
          { turn: 2, quote: "Twenty-five" },
          { turn: 11, quote: "Yes, indeed. Let's do that" },
        ],
        verdict: "met",
      },
      disqualified: { because: [], verdict: "unknown" },
    },
    reasoning: "They are 25 people on ZenQueue. They agreed to start with ten seats.",
  },
  conversation_summary: "Ada leads a team of 25. They use ZenQueue, which is slow.",
  summary: "A good fit. They find 40 euros per seat expensive.",
  prospect_summary:
    "Thank you for your time, Ada. We spoke about ZenQueue and your office in Gdańsk.",
} as const;

/** What is published of a model's answer to the talk, with a verifier that goes by a search. */
export function published(
  answer: object,
  rubric: Rubric = RUBRIC,
  conversation: Conversation = CONVERSATION,
): CheckedAnswer {
  const read = readAnswer(JSON.stringify(answer), rubric);
  if ("problems" in read) throw new Error(read.problems.join(" "));
  return checkAnswer(read.answer, rubric, conversation, isFound);
}

/** What a verifier says that goes by a search alone. */
export function isFound(_: string, claim: () => Claim): boolean {
  return claim().notFound.length === 0;
}

/** What is published when some of the honest answer is another, and by place why something is not. */
export function withClaim(change: object): {
  evaluation: Evaluation;
  why: Record<string, DropReason>;
} {
  const { evaluation, dropped } = published({ ...HONEST, ...change });
  return { evaluation, why: Object.fromEntries(dropped.map(({ where, why }) => [where, why])) };
}
