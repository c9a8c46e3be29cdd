import { sessionJson } from "#sessions";
import type { ExportedSession } from "#sessions";

/** The bytes of a `session.evaluated` event. Written once: every attempt sends these. */
export function eventBody(session: ExportedSession, evaluatedAt: Date): Buffer {
  const timestamp = JSON.stringify(evaluatedAt.toISOString());
  return Buffer.from(
    `{"event_type":"session.evaluated","timestamp":${timestamp},"data":${sessionJson(session)}}`,
  );
}
