import { AppError } from "#platform";
import type { CheckedAnswer } from "../check-answer.ts";
import type { Conversation, Rubric } from "../rubric-of.ts";
import { JudgeError, judgeConversation } from "../judge.ts";
import type { EvaluationModels, JudgeFailure } from "../judge.ts";

/** The result of one conversation. */
export type Judged = { checked: CheckedAnswer } | { failure: JudgeFailure };

/** Requests under way at a time: more would meet the limits that providers set for a key. */
const AT_ONCE = 8;

/**
 * Judges each case, a few at a time, and answers in their order. Writes nothing anywhere. Throws when not one of them
 * could be judged.
 */
export async function judgeAll(
  models: EvaluationModels,
  cases: { rubric: Rubric; conversation: Conversation }[],
  onJudged: (done: number) => void,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  const waiting = cases.entries();
  let done = 0;
  async function lane(): Promise<void> {
    // All lanes draw from the one iterator, so each case is taken once.
    for (const [index, one] of waiting) {
      judged[index] = await judge(models, one.rubric, one.conversation);
      onJudged((done += 1));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const [first] = judged;
  if (first !== undefined && "failure" in first && judged.every((one) => "failure" in one)) {
    throw new AppError("conflict", {
      what: `${models.first.name} judged no conversation.`,
      why: FAILURES[first.failure],
      fix: "Check SVC_MODEL_URL, SVC_MODEL_KEY and the name of the model.",
    });
  }
  return judged;
}

const FAILURES: Record<JudgeFailure, string> = {
  model_away: "It cannot be reached, or does not let us in.",
  model_refused: "It refuses to answer.",
  model_output: "Its answers do not fit the schema that it was given.",
};

async function judge(
  models: EvaluationModels,
  rubric: Rubric,
  conversation: Conversation,
): Promise<Judged> {
  try {
    // A model's own time limit ends a request.
    const { signal } = new AbortController();
    const { checked } = await judgeConversation(models, rubric, conversation, { signal });
    return { checked };
  } catch (error) {
    if (error instanceof JudgeError) return { failure: error.failure };
    throw error;
  }
}
