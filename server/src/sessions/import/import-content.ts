import { parseJson } from "#platform";
import { isDeepStrictEqual } from "node:util";
import type { GivenSession } from "./import-line.ts";
import type { StoredSession } from "./import-store.ts";

const PLAIN = {
  agentId: "agent_id",
  status: "status",
  summary: "summary",
  email: "email",
  emailVerified: "email_verified",
  durationSecs: "duration_secs",
} as const;
const JSON_TEXT = ["metadata", "transcript", "evaluation"] as const;
/** What an evaluation writes. */
const JUDGED = new Set(["status", "summary", "evaluation"]);

/** Names of the fields in which a session that is there differs from the one given under its id. */
export function differences(there: GivenSession | StoredSession, given: GivenSession): string[] {
  const differing: string[] = [];
  if (!timesOf(there).includes(given.givenMs)) differing.push("created_at");
  for (const [key, field] of Object.entries(PLAIN) as [keyof typeof PLAIN, string][])
    if (there[key] !== given[key]) differing.push(field);
  for (const field of JSON_TEXT) if (!sameJson(there[field], given[field])) differing.push(field);
  // A session that was given to be evaluated may have been, by now.
  return given.status === null ? differing.filter((field) => !JUDGED.has(field)) : differing;
}

/** Both the time it was given and the one it got: an export of imported sessions can be imported again. */
function timesOf(there: GivenSession | StoredSession): number[] {
  if ("givenMs" in there) return [there.givenMs];
  return [there.createdAt.getTime(), ...(there.givenAt === null ? [] : [there.givenAt.getTime()])];
}

/** The order of keys is nobody's content. */
function sameJson(left: string | null, right: string | null): boolean {
  if (left === right) return true;
  if (left === null || right === null) return false;
  return isDeepStrictEqual(parseJson(left), parseJson(right));
}
