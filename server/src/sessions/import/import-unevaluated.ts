import type { Session } from "@svc/contract/types";
import type { ImportProblem } from "./import-problem.ts";
import type { Turn } from "../record/session-object.ts";

type Refusal = Pick<ImportProblem, "problem" | "fix"> & { field: string };

/** What keeps a session from being evaluated here: somebody has judged it, or nobody is to. */
export function whyNotToEvaluate({ status, summary, evaluation }: Session): Refusal[] {
  const refusals: Refusal[] = [];
  if (status === "processed" || status === "abandoned")
    refusals.push({ field: "status", problem: `is ${status}`, fix: AS_IT_IS });
  if (evaluation !== undefined)
    refusals.push({ field: "evaluation", problem: "is there", fix: AS_IT_IS });
  else if (summary !== undefined)
    refusals.push({
      field: "summary",
      problem: "would be replaced by the evaluation's",
      fix: "Leave it out.",
    });
  return refusals;
}

const AS_IT_IS = "Import it without --unevaluated.";

/** Null: its evaluation is due. Who said nothing is not evaluated. */
export function statusWithoutEvaluation(turns: Turn[]): "abandoned" | null {
  const spoke = turns.some(({ role, content }) => role === "user" && content.trim() !== "");
  return spoke ? null : "abandoned";
}
