import type { Session } from "./session.ts";

/**
 * Body of a webhook delivery, sent as `POST` with `Content-Type: application/json`.
 *
 * Fired every time a session's evaluation is written, including re-evaluations of the same
 * session. Test sessions and failed evaluations never fire it.
 */
export interface SessionEvaluatedEvent {
  /** The only kind of event that exists. */
  event_type: "session.evaluated";
  /** RFC 3339 timestamp with fractional seconds: when the evaluation was written. */
  timestamp: string;
  /** The session with every field it has. */
  data: Session;
}

/** Lower-case hex HMAC-SHA256 of the raw body, keyed with the UTF-8 bytes of the webhook secret. */
export type WebhookSignatureHeader = "X-Webhook-Signature";
