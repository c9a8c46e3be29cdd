import type { SessionField } from "./types/index.ts";

/**
 * The names `fields` accepts, in the order that CSV columns take when `fields` is omitted.
 *
 * Written as the keys of an object, because the compiler then refuses a forgotten, an unknown and
 * a repeated name.
 */
export const SESSION_FIELDS: readonly SessionField[] = Object.keys({
  id: 0,
  metadata: 1,
  transcript: 2,
  summary: 3,
  evaluation: 4,
  email: 5,
  email_verified: 6,
  duration_secs: 7,
  created_at: 8,
  status: 9,
  agent_id: 10,
} satisfies Record<SessionField, number>) as SessionField[];
