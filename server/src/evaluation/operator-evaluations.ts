import { audit } from "#accounts";
import { transact } from "#platform";
import type { Db, JobSender } from "#platform";
import type { OwnedSession } from "./operator-store.ts";
import { requestEvaluation } from "./request-evaluation.ts";

/** Queries for the operator's commands. */
export {
  type EvaluationOutcome,
  isStill,
  type OwnedSession,
  selectOutcome,
  selectSettled,
  type SettledFilter,
} from "./operator-store.ts";

/**
 * An operator asks for a new evaluation: the request and who made it are written, or neither is.
 * Joining one that is under way changes nothing, so it is not audited.
 */
export async function orderEvaluation(
  db: Db,
  jobs: JobSender,
  actor: string,
  { id, accountId }: OwnedSession,
): Promise<"requested" | "joined"> {
  return transact(db, async (trx) => {
    const outcome = await requestEvaluation(trx, jobs, id);
    if (outcome === "requested") {
      await audit(trx, { actor, action: "session.evaluate", accountId, subject: id });
    }
    return outcome;
  });
}
