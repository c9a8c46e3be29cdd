import type { Evaluation, Metadata, TranscriptEntry } from "@svc/contract/types";
import { storable } from "./storable-text.ts";

/**
 * The one place where a session becomes what customers read: finished JSON for the columns of
 * session_exports, `null` for a key that is absent.
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

/** Nothing inside metadata is looked at: `""`, `"null"` and `"{}"` are the site's own values. */
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
 * Leaves out null, undefined, `""`, `[]` and `{}` at every level, keeps `false` and `0`. Undefined
 * when nothing is left.
 */
export function withoutEmpty(value: unknown): unknown {
  if (value === null || value === undefined || value === "") return undefined;
  // JSON has no such numbers and would write null.
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
