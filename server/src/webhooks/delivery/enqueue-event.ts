import type { EvaluatedSession } from "#evaluation";
import { newUuid } from "#platform";
import type { Trx } from "#platform";
import { insertEvent } from "./delivery-store.ts";
import { eventBody } from "./event-body.ts";

/** Joins the transaction that writes an evaluation: the event exists if, and only if, the evaluation does. */
export async function enqueueEvent(trx: Trx, evaluated: EvaluatedSession): Promise<void> {
  const { session, version, evaluatedAt } = evaluated;
  await insertEvent(trx, {
    id: newUuid(),
    accountId: session.account_id,
    agentId: session.agent_id,
    sessionId: session.id,
    version,
    at: evaluatedAt,
    body: eventBody(session, evaluatedAt),
  });
}
