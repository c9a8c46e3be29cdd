export type { Dropped, DropReason } from "./answer.ts";
export type { Conversation, Rubric } from "./rubric-of.ts";
export {
  type EvaluatedSession,
  type EvaluationFailure,
  Evaluator,
  type OnEvaluated,
} from "./evaluator.ts";
export { evaluate } from "./jobs.ts";
export { type EvaluationModels, JudgeError, judgeConversation, type Judgement } from "./judge.ts";
export {
  type EvaluationOutcome,
  isStill,
  orderEvaluation,
  type OwnedSession,
  selectOutcome,
  selectSettled,
  type SettledFilter,
} from "./operator-evaluations.ts";
export {
  type EvaluationBacklog,
  evaluationBacklog,
  forgetEvaluations,
  isModelAwayDue,
  requestEvaluation,
  retryModelAway,
} from "./request-evaluation.ts";
export { rubricOf } from "./rubric-of.ts";
export { SCORED_FIELDS, type ScoredField } from "./rubric/compare-evaluation.ts";
export { loadFixtures } from "./rubric/fixture.ts";
export { scoreFixtures } from "./rubric/score-fixtures.ts";
export { type KeyChange, type TriedSession, tryRubric } from "./rubric/try-rubric.ts";
