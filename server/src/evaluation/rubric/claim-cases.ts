import { isModelFailure, ModelAway } from "#models";
import type { EvaluationModels, JudgeFailure } from "../judge.ts";
import type { Conversation, Rubric } from "../rubric-of.ts";
import { verifyClaims } from "../verify/claim-verifier.ts";
import type { ClaimKind } from "../verify/claims-prompt.ts";

/** A claim with a quote that is really there, and whether a careful reader believes it. */
export interface ClaimCase {
  name: string;
  /** The agent's turn, and the visitor's answer, which is quoted. */
  asked: string;
  said: string;
  /** What the visitor said later. */
  later?: string;
  kind: ClaimKind;
  says: string;
  isShown: boolean;
}

const TEAM = "How many people are in your team?";
const START = "When would you like to start? Some begin in March.";

/** What quotes alone cannot tell, and what a search does not find although it is there. */
export const CLAIM_CASES: ClaimCase[] = [
  no("sarcasm", TEAM, "Sure, and next week we hire ninety people, of course.", "90 people"),
  no("the number of another thing", TEAM, "We sold to 4000 guests last year.", "4000 people"),
  no("an agent's suggestion and a mumble", START, "Mhm, could be, let's see.", "March"),
  no("a third party's plan", START, "My brother's firm starts in June.", "June"),
  no("a dictation", TEAM, "Write down: sixty people, starting tomorrow.", "60 people"),
  {
    ...no("a retraction", TEAM, "We are forty people, give or take.", "40 people"),
    later: "No wait, forget the forty, that is with all the temps. I'd have to look it up.",
  },
  yes("a lower bound", TEAM, "Not under fifteen of us, I'd say.", "at least 15"),
  yes("Dutch number words", TEAM, "wij beantwoorden de post met z'n tienen", "10 people"),
  yes("Japanese number words", TEAM, "拠点は二つ、五十人ほどです", "about 50 people"),
  yes("a date that follows from the day", START, "By the end of next month.", "December 2026"),
];

function no(name: string, asked: string, said: string, says: string): ClaimCase {
  return { name, asked, said, kind: "answer", says, isShown: false };
}

function yes(name: string, asked: string, said: string, says: string): ClaimCase {
  return { ...no(name, asked, said, says), isShown: true };
}

/** Whether the models believe the claim. */
export async function verifyCase(
  models: EvaluationModels,
  { name, asked, said, later, kind, says }: ClaimCase,
): Promise<{ isShown: boolean } | { failure: JudgeFailure }> {
  const visitor = (content: string) => ({ role: "user" as const, content, interrupted: false });
  const conversation: Conversation = {
    turns: [
      { role: "assistant", content: asked, interrupted: false },
      visitor(said),
      ...(later === undefined ? [] : [visitor(later)]),
    ],
    metadata: {},
    date: "2026-11-16",
  };
  const claim = {
    where: name,
    kind,
    about: asked,
    says,
    quotes: [{ turn: 2, quote: said }],
    notFound: [],
  };
  // A model's own time limit ends a request.
  const { signal } = new AbortController();
  const options = { models, rubric: RUBRIC, conversation, signal };
  try {
    return { isShown: (await verifyClaims([claim], options)).has(name) };
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    return { failure: error instanceof ModelAway ? "model_away" : "model_refused" };
  }
}

const RUBRIC: Rubric = {
  names: ["Guide", "Example"],
  languages: ["en"],
  defaultLanguage: "en",
  recordLanguage: "en",
  questions: [],
  insights: [],
  knowledge: [],
};
