import type { Evaluation } from "./evaluation.ts";

/**
 * The session object, as the export returns it and the webhook carries it.
 *
 * A key is present only when it has a value. The object never contains `null`, at any depth, so a
 * missing key means "no value" and is not an error.
 */
export interface Session {
  /** The session. A UUID, stable across re-evaluations. */
  id: string;
  /** The agent that ran the session. Receivers that serve several agents route on it. */
  agent_id: string;
  /** Where the session ended up. The export and the webhook never carry `active`. */
  status: SessionStatus;
  /**
   * The data the site passed to the SDK, plus the email collected in the session. A value that was
   * not a string arrives JSON-encoded.
   */
  metadata?: Metadata;
  /** The dialogue as the prospect experienced it, oldest first. */
  transcript?: TranscriptEntry[];
  /** One-paragraph summary of the conversation. */
  summary?: string;
  /** The agent's evaluation of the conversation. */
  evaluation?: Evaluation;
  /** The prospect's address collected during the session, normalized. */
  email?: string;
  /**
   * Domain-level check: true when the domain accepts mail. It does not show that the mailbox
   * exists. Absent while the answer is not known.
   */
  email_verified?: boolean;
  /** Length of the conversation in whole seconds. */
  duration_secs?: number;
  /** RFC 3339 timestamp of when the session started. It can carry fractional seconds. */
  created_at: string;
}

/**
 * - `active`: from the start until the session is settled, the wait for its evaluation included.
 * - `abandoned`: it ended before the prospect said anything. No evaluation, no webhook.
 * - `processed`: its evaluation is written.
 * - `error`: its evaluation failed for good. A later re-evaluation may still make it `processed`.
 */
export type SessionStatus = "active" | "abandoned" | "processed" | "error";

/** The statuses of a settled session: the only ones that the export and the webhook carry. */
export type SettledStatus = Exclude<SessionStatus, "active">;

/** Keys as the site chose them, values always strings. The value of `email` becomes the session's `email`. */
export type Metadata = Record<string, string>;

/** One turn of the dialogue. System prompt, tool activity and popup actions are never part of it. */
export interface TranscriptEntry {
  /**
   * Who spoke. Only these two roles occur. Two `assistant` entries in a row are one spoken turn
   * with tool activity in between.
   */
  role: TurnRole;
  /** The turn's text. Text that was generated but never heard is absent. */
  content: string;
  /** Present, and true, only when the prospect cut in: `content` is then what they heard before that. */
  interrupted?: true;
}

export type TurnRole = "user" | "assistant";
