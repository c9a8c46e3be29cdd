import { AppError, parseJson, storable } from "#platform";
import { Session as SessionSchema } from "@svc/contract/schemas";
import type { Metadata, Session, SettledStatus } from "@svc/contract/types";
import { normalizeEmail } from "../record/email.ts";
import { normalizeMetadata } from "../record/metadata.ts";
import {
  evaluationColumn,
  metadataColumn,
  textColumn,
  transcriptColumn,
} from "../record/session-object.ts";
import type { ExportColumns, Turn } from "../record/session-object.ts";
import { ONE_OBJECT, schemaProblem } from "./import-problem.ts";
import type { ImportProblem } from "./import-problem.ts";

/** One line of a file, as bytes, so that invalid UTF-8 is detected and not silently replaced. */
export interface Line {
  /** From 1, as editors count. */
  number: number;
  /** Undefined when the line is longer than allowed. */
  bytes: Uint8Array | undefined;
}

/** A session as given by a line, ready to be inserted. */
export interface GivenSession extends ExportColumns {
  line: number;
  id: string;
  agentId: string;
  /** Null when it is to be evaluated here. */
  status: SettledStatus | null;
  /** Its `created_at`, in whole milliseconds. */
  givenMs: number;
  email: string | null;
  emailVerified: boolean | null;
  durationSecs: number | null;
}

/** The options that apply to every line of an import. */
export interface ImportRules {
  /** Replaces the `agent_id` of every line. */
  agentId: string | undefined;
  /** Whether the sessions have no evaluation and are evaluated here. */
  unevaluated: boolean;
}

/** The transcript of an hour takes about 100 KB, so a longer line is not a session. */
export const MAX_LINE_BYTES: number = 4 * 1_024 * 1_024;

/** The column is a 32-bit integer. */
const MAX_DURATION_SECS = 2_147_483_647;

/**
 * Checks one line against the contract and our own limits. Accepted values are stored unchanged,
 * except for NUL and lone surrogates, which cannot be stored.
 */
export function readImportLine(
  { number: line, bytes }: Line,
  { agentId, unevaluated }: ImportRules,
): GivenSession | ImportProblem[] {
  const whole = (problem: string, fix: string): ImportProblem[] => [
    { line, field: undefined, problem, fix, lines: 1 },
  ];
  if (bytes === undefined) return whole("is longer than 4 MB", ONE_OBJECT);
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return whole("is not UTF-8", "Save the file as UTF-8.");
  }
  let raw: unknown;
  try {
    raw = parseJson(text);
  } catch {
    return whole("is no JSON", ONE_OBJECT);
  }
  if (typeof raw === "object" && raw !== null) {
    if (Array.isArray(raw)) return whole("is a list", "Take it apart: `jq -c '.[]'`.");
    if ("items" in raw)
      return whole("is a page of the export", "Take it apart: `jq -c '.items[]'`.");
    raw = {
      // The status may be left out, because nobody has evaluated the session yet.
      ...(unevaluated && { status: "active" }),
      ...raw,
      ...(agentId !== undefined && { agent_id: agentId }),
    };
  }
  const parsed = SessionSchema.safeParse(raw, { reportInput: true });
  if (parsed.success) return toGiven(line, parsed.data, unevaluated);
  return parsed.error.issues.map((issue) => schemaProblem(line, issue));
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function toGiven(
  line: number,
  session: Session,
  unevaluated: boolean,
): GivenSession | ImportProblem[] {
  const { id, status, email, transcript, summary, evaluation } = session;
  const problems: ImportProblem[] = [];
  const refuse = (field: string, problem: string, fix: string): void =>
    void problems.push({ line, field, problem, fix, lines: 1 });

  if (unevaluated)
    for (const { field, problem, fix } of whyNotToEvaluate(session)) refuse(field, problem, fix);
  else if (status === "active")
    refuse("status", "is active", "Import it once it has ended, or with --unevaluated.");
  const givenMs = Date.parse(session.created_at);
  // `since` starts in 1970, so nobody could ever read an earlier session.
  if (givenMs < 0) refuse("created_at", "is before 1970", "Correct it.");
  if ((session.duration_secs ?? 0) > MAX_DURATION_SECS)
    refuse("duration_secs", "is out of range", "Correct it.");
  // An address in another form would not be found when its owner asks for erasure.
  if (email !== undefined && email !== normalizeEmail(email))
    refuse("email", "is no address in its normal form", NORMAL_FORM);
  let metadata: Metadata = {};
  try {
    metadata = normalizeMetadata(session.metadata ?? {});
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    refuse("metadata", "is too large", `${error.why} Shorten it.`);
  }
  if (problems.length > 0) return problems;

  const turns = (transcript ?? []).map((turn) => ({
    ...turn,
    content: storable(turn.content),
    interrupted: turn.interrupted ?? false,
  }));
  return {
    line,
    id: id.toLowerCase(),
    agentId: session.agent_id,
    status: unevaluated ? statusWithoutEvaluation(turns) : (status as SettledStatus),
    givenMs,
    metadata: metadataColumn(metadata),
    transcript: transcriptColumn(turns),
    summary: textColumn(storable(summary ?? "")),
    evaluation: evaluation === undefined ? null : evaluationColumn(evaluation),
    email: email ?? null,
    emailVerified: session.email_verified ?? null,
    durationSecs: session.duration_secs ?? null,
  };
}

const NORMAL_FORM = "Trim it, write it in lower case, and its domain in ASCII.";

type Refusal = Pick<ImportProblem, "problem" | "fix"> & { field: string };

/** Returns why a session cannot be evaluated here: it already has a result, or is not meant to get one. */
function whyNotToEvaluate({ status, summary, evaluation }: Session): Refusal[] {
  const refusals: Refusal[] = [];
  if (status === "processed" || status === "abandoned")
    refusals.push({ field: "status", problem: `is ${status}`, fix: AS_IT_IS });
  if (evaluation !== undefined)
    refusals.push({ field: "evaluation", problem: "is there", fix: AS_IT_IS });
  else if (summary !== undefined)
    refusals.push({
      field: "summary",
      problem: "would be replaced by the evaluation's",
      fix: "Leave it out.",
    });
  return refusals;
}

const AS_IT_IS = "Import it without --unevaluated.";

/** Null when an evaluation is due. Sessions in which the visitor said nothing are not evaluated. */
function statusWithoutEvaluation(turns: Turn[]): "abandoned" | null {
  const spoke = turns.some(({ role, content }) => role === "user" && content.trim() !== "");
  return spoke ? null : "abandoned";
}
