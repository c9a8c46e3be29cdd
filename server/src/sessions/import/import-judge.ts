import { isDeepStrictEqual } from "node:util";
import { parseJson } from "#platform";
import type { GivenSession, ImportRules } from "./import-line.ts";
import type { ImportProblem } from "./import-problem.ts";
import type { StoredSession } from "./import-store.ts";

/** What a batch is imported into. */
export interface ImportTarget {
  accountId: number;
  /** The account's agents. */
  agentIds: ReadonlySet<string>;
  rules: ImportRules;
}

export interface CheckedSessions {
  /** How many are good and not there yet. */
  ready: number;
  alreadyThere: number;
  /** One entry per line. */
  problems: ImportProblem[][];
}

/** Holds sessions against what is there under their ids, in the order of the file. */
export function judgeSessions(
  target: ImportTarget,
  sessions: GivenSession[],
  stored: Map<string, StoredSession>,
  nowMs: number,
): CheckedSessions {
  const there = new Map<string, GivenSession | StoredSession>(stored);
  const result: CheckedSessions = { ready: 0, alreadyThere: 0, problems: [] };
  for (const session of sessions) {
    const twin = there.get(session.id);
    const refusal =
      twin === undefined ? refuseNew(target, session, nowMs) : refuseKnown(target, session, twin);
    if (refusal !== undefined) {
      result.problems.push([{ line: session.line, ...refusal, lines: 1 }]);
    } else if (twin === undefined) {
      there.set(session.id, session);
      result.ready += 1;
    } else {
      result.alreadyThere += 1;
    }
  }
  return result;
}

type Refusal = Pick<ImportProblem, "field" | "problem" | "fix">;

function refuseNew(
  target: ImportTarget,
  session: GivenSession,
  nowMs: number,
): Refusal | undefined {
  if (!target.agentIds.has(session.agentId)) {
    return {
      field: "agent_id",
      problem: `names ${session.agentId.slice(0, 60)}, which the account does not have`,
      fix: "Apply that agent first, or put all sessions under one with --agent.",
    };
  }
  if (session.givenMs <= nowMs) return undefined;
  return {
    field: "created_at",
    problem: "is in the future",
    fix: "Check the clock of the system that wrote it.",
  };
}

function refuseKnown(
  target: ImportTarget,
  session: GivenSession,
  twin: GivenSession | StoredSession,
): Refusal | undefined {
  const field = "id";
  const fix = "Give the session another UUID, or leave the line out.";
  // Whose it is stays untold.
  if ("accountId" in twin && twin.accountId !== target.accountId)
    return { field, problem: `${session.id} is taken`, fix };
  // One that waits for its evaluation here has all that is compared.
  if ("accountId" in twin && twin.status === null && !(twin.isDue && session.status === null)) {
    const problem = `${session.id} is there already, unfinished or as a test`;
    return { field, problem, fix };
  }
  const fields = differences(twin, session);
  if (fields.length === 0) return undefined;
  return {
    field,
    problem: `${session.id} is there already with another ${fields.join(", ")}`,
    fix,
  };
}

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
function differences(there: GivenSession | StoredSession, given: GivenSession): string[] {
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
