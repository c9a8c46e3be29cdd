import { isDeepStrictEqual } from "node:util";
import { parseJson } from "#platform";
import type { GivenSession, ImportRules } from "./import-line.ts";
import type { ImportProblem } from "./import-problem.ts";
import type { StoredSession } from "./import-store.ts";

/** The account that a batch is imported into. */
export interface ImportTarget {
  accountId: number;
  /** The account's agents. */
  agentIds: ReadonlySet<string>;
  rules: ImportRules;
}

export interface CheckedSessions {
  /** The number of valid sessions that do not exist yet. */
  ready: number;
  alreadyThere: number;
  /** One entry per line. */
  problems: ImportProblem[][];
}

/** Compares sessions with those that already exist under their ids, in the order of the file. */
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
  // Does not reveal whose session it is.
  if ("accountId" in twin && twin.accountId !== target.accountId)
    return { field, problem: `${session.id} is taken`, fix };
  // A session that waits for its evaluation has everything that is compared.
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
/** The fields that an evaluation writes. */
const JUDGED = new Set(["status", "summary", "evaluation"]);

/** The names of the fields in which an existing session differs from the one given under its id. */
function differences(there: GivenSession | StoredSession, given: GivenSession): string[] {
  const differing: string[] = [];
  if (!timesOf(there).includes(given.givenMs)) differing.push("created_at");
  for (const [key, field] of Object.entries(PLAIN) as [keyof typeof PLAIN, string][])
    if (there[key] !== given[key]) differing.push(field);
  for (const field of JSON_TEXT) if (!sameJson(there[field], given[field])) differing.push(field);
  // A session that was imported for evaluation may have been evaluated since.
  return given.status === null ? differing.filter((field) => !JUDGED.has(field)) : differing;
}

/**
 * Both the given time and the one that was assigned, so that an export of imported sessions can be
 * imported again.
 */
function timesOf(there: GivenSession | StoredSession): number[] {
  if ("givenMs" in there) return [there.givenMs];
  return [there.createdAt.getTime(), ...(there.givenAt === null ? [] : [there.givenAt.getTime()])];
}

/** Compares parsed values, because the order of keys does not matter. */
function sameJson(left: string | null, right: string | null): boolean {
  if (left === right) return true;
  if (left === null || right === null) return false;
  return isDeepStrictEqual(parseJson(left), parseJson(right));
}
