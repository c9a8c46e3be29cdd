import { storable } from "#platform";
import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type {
  Evaluation,
  Metadata,
  SessionField,
  SettledStatus,
  TranscriptEntry,
} from "@svc/contract/types";

/**
 * The one place where a session becomes what customers read: finished JSON for the columns of
 * session_exports, `null` for an absent key.
 */
export interface ExportColumns {
  metadata: string | null;
  transcript: string | null;
  summary: string | null;
  evaluation: string | null;
}

export interface Turn {
  role: TranscriptEntry["role"];
  content: string;
  interrupted: boolean;
}

/** A row of session_exports, which contains everything that customers can read of a session. */
export interface ExportedSession extends ExportColumns {
  account_id: number;
  created_at: Date;
  id: string;
  agent_id: string;
  status: SettledStatus;
  email: string | null;
  email_verified: boolean | null;
  duration_secs: number | null;
}

/** The session object as JSON, with the keys of the export in the same order. */
export function sessionJson(session: ExportedSession): string {
  const text = (value: string | null): string | null =>
    value === null ? null : JSON.stringify(value);
  const values: Record<SessionField, string | null> = {
    id: text(session.id),
    metadata: session.metadata,
    transcript: session.transcript,
    summary: text(session.summary),
    evaluation: session.evaluation,
    email: text(session.email),
    email_verified: session.email_verified === null ? null : String(session.email_verified),
    duration_secs: session.duration_secs === null ? null : String(session.duration_secs),
    created_at: text(session.created_at.toISOString()),
    status: text(session.status),
    agent_id: text(session.agent_id),
  };
  const members = SESSION_FIELDS.filter((field) => values[field] !== null);
  return `{${members.map((field) => `"${field}":${values[field]}`).join(",")}}`;
}

/** The values of metadata are not interpreted: `""`, `"null"` and `"{}"` are the site's own. */
export function metadataColumn(metadata: Metadata): string | null {
  return Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}

export function transcriptColumn(turns: Turn[]): string | null {
  if (turns.length === 0) return null;
  const entries = turns.map(({ role, content, interrupted }): TranscriptEntry => ({
    role,
    content,
    ...(interrupted && { interrupted }),
  }));
  return JSON.stringify(entries);
}

export function evaluationColumn(evaluation: Evaluation): string | null {
  const present = withoutEmpty(evaluation);
  return present === undefined ? null : JSON.stringify(present);
}

export function textColumn(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}

/**
 * Removes null, undefined, `""`, `[]` and `{}` at every level, and keeps `false` and `0`. Undefined
 * when nothing is left.
 */
export function withoutEmpty(value: unknown): unknown {
  if (value === null || value === undefined || value === "") return undefined;
  // JSON has no such numbers: JSON.stringify would write null.
  if (typeof value === "number" && !Number.isFinite(value)) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (typeof value === "object") {
    const entries = Object.entries(value)
      .map(([key, inner]) => [storable(key), withoutEmpty(inner)] as const)
      .filter(([, inner]) => inner !== undefined);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  return typeof value === "string" ? storable(value) : value;
}
