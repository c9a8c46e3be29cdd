import type { EvaluatedSession } from "#evaluation";
import { newUuid } from "#platform";
import type { Trx } from "#platform";
import { sessionJson } from "#sessions";
import type { ExportedSession } from "#sessions";
import { insertEvent } from "./delivery-store.ts";

/**
 * Joins the transaction that writes an evaluation, so that the event exists if and only if the
 * evaluation does.
 */
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

/** The body of a `session.evaluated` event. It is serialised once, and every attempt sends the same bytes. */
function eventBody(session: ExportedSession, evaluatedAt: Date): Buffer {
  const timestamp = JSON.stringify(evaluatedAt.toISOString());
  return Buffer.from(
    `{"event_type":"session.evaluated","timestamp":${timestamp},"data":${sessionJson(session)}}`,
  );
}
