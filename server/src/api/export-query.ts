import { SESSION_FIELDS } from "@svc/contract/session-fields";
import type { SessionField } from "@svc/contract/types";
import { positionSince } from "#sessions";
import type { ExportPosition } from "#sessions";

/** A parsed query string, or the parameter that is wrong and how to correct it. */
export type ExportQuery =
  | { ok: true; after: ExportPosition; limit: number; fields: readonly SessionField[] }
  | { ok: false; parameter: string; message: string };

const MAX_LIMIT = 100;
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** The end of the year 9999: PostgreSQL's stamps go no further in four digits, and no session is younger. */
const MAX_SINCE_SECS = 253_402_300_799n;

/** Reads the raw query string. Unknown parameters are ignored, `fields` may be repeated, nothing else may. */
export function parseExportQuery(search: string): ExportQuery {
  const query = new URLSearchParams(search);
  for (const parameter of ["since", "limit", "cursor"]) {
    if (query.getAll(parameter).length > 1)
      return refuse(parameter, "was given more than once. Send it once.");
  }

  const since = query.get("since") ?? "0";
  if (!/^-?\d+$/.test(since) || !isInt64(since)) {
    return refuse("since", "must be a unix timestamp in whole seconds, such as 1767225600.");
  }
  const limit = query.get("limit") ?? String(MAX_LIMIT);
  if (!/^\d+$/.test(limit) || /^0+$/.test(limit)) {
    return refuse("limit", "must be a whole number from 1 to 100. Larger numbers count as 100.");
  }
  const cursor = query.get("cursor");
  const after = cursor === null ? positionSince(clampSince(BigInt(since))) : parseCursor(cursor);
  if (after === undefined) {
    return refuse(
      "cursor",
      "is not one of ours. Take it unchanged from the Link header of the page before.",
    );
  }
  return {
    ok: true,
    after,
    limit: clampLimit(limit),
    fields: parseFields(query.getAll("fields").join(",")),
  };
}

/** Opaque to clients, so that it may change: today the stamp in milliseconds and the id. */
export function formatCursor({ at, id }: ExportPosition): string {
  return `${Date.parse(at)}.${id}`;
}

function parseCursor(cursor: string): ExportPosition | undefined {
  const [, ms, id] =
    /^(\d{1,14})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? [];
  return ms === undefined || id === undefined
    ? undefined
    : { at: new Date(Number(ms)).toISOString(), id };
}

function isInt64(digits: string): boolean {
  // BigInt of a very long number is slow; no int64 has more than 19 digits besides leading zeros.
  if (digits.replace(/^-?0*/, "").length > 19) return false;
  const value = BigInt(digits);
  return value >= INT64.min && value <= INT64.max;
}

function clampSince(secs: bigint): number {
  if (secs < 0n) return 0;
  return Number(secs > MAX_SINCE_SECS ? MAX_SINCE_SECS : secs);
}

function clampLimit(digits: string): number {
  const significant = digits.replace(/^0+/, "");
  return significant.length > 3 ? MAX_LIMIT : Math.min(Number(significant), MAX_LIMIT);
}

/** Absent or empty means all. Only unknown names means none, never all: a typo must not leak transcripts. */
function parseFields(text: string): readonly SessionField[] {
  if (text === "") return SESSION_FIELDS;
  const names = new Set(text.split(",").map((name) => name.trim()));
  return [...names].filter((name): name is SessionField =>
    (SESSION_FIELDS as readonly string[]).includes(name),
  );
}

function refuse(parameter: string, why: string): ExportQuery {
  return { ok: false, parameter, message: `The parameter "${parameter}" ${why}` };
}
