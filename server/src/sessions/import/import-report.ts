import type { CheckedSessions } from "./import-judge.ts";
import type { ImportProblem } from "./import-problem.ts";
import type { WrittenSessions } from "./import-write.ts";

/** The result of an import. */
export interface ImportReport {
  /** The number of lines that are not blank. */
  read: number;
  /** Valid sessions that did not exist yet. */
  ready: number;
  imported: number;
  /** Imported sessions whose evaluation is due. */
  toEvaluate: number;
  alreadyThere: number;
  /** Lines that cannot be imported. */
  refused: number;
  /** The problems of the first of them. */
  problems: ImportProblem[];
  /** Imported sessions whose time had to be changed, and the largest change. */
  moved: { sessions: number; maxMs: number };
  /**
   * Imported sessions that start before the newest session the account had: a client that only
   * reads forward may have passed them.
   */
  passed: { sessions: number; oldestMs: number; newestStampMs: number };
}

const MAX_PROBLEMS = 20;

export function emptyReport(): ImportReport {
  return {
    read: 0,
    ready: 0,
    imported: 0,
    toEvaluate: 0,
    alreadyThere: 0,
    refused: 0,
    problems: [],
    moved: { sessions: 0, maxMs: 0 },
    passed: { sessions: 0, oldestMs: Infinity, newestStampMs: Infinity },
  };
}

/** An unknown agent is listed once, however many lines name it. */
export function addChecked(report: ImportReport, checked: CheckedSessions): void {
  report.ready += checked.ready;
  report.alreadyThere += checked.alreadyThere;
  report.refused += checked.problems.length;
  for (const problem of checked.problems.flat().toSorted((a, b) => a.line - b.line)) {
    const listed = report.problems.find(
      ({ field, problem: words }) => field === problem.field && words === problem.problem,
    );
    if (listed?.field === "agent_id") listed.lines += 1;
    else if (report.problems.length < MAX_PROBLEMS) report.problems.push(problem);
  }
}

export function addImported(report: ImportReport, written: WrittenSessions): void {
  report.imported += written.imported.length;
  const { moved, passed } = report;
  // Only the first batch counts: later ones see a clock that this import has moved.
  passed.newestStampMs = Math.min(passed.newestStampMs, written.newestStampMs);
  for (const { session, atMs } of written.imported) {
    if (session.status === null) report.toEvaluate += 1;
    if (atMs !== session.givenMs) moved.sessions += 1;
    moved.maxMs = Math.max(moved.maxMs, atMs - session.givenMs);
    if (atMs >= passed.newestStampMs) continue;
    passed.sessions += 1;
    passed.oldestMs = Math.min(passed.oldestMs, atMs);
  }
}
