export {
  createExporter,
  type Exporter,
  type ExportPage,
  type ExportPosition,
  type ExportRequest,
  positionSince,
} from "./export.ts";
export { type EndedSession, readEndedSession } from "./ended-session.ts";
export { exportHold, type ExportHold, type Hold } from "./export-hold.ts";
export { askExportRole, type ExportRole } from "./export-role-store.ts";
export { importSessions, type ImportRequest, type ImportSource } from "./import.ts";
export type { ImportProblem } from "./import-problem.ts";
export type { ImportReport } from "./import-report.ts";
export { sessionEnded } from "./jobs.ts";
export { MemoryBudget } from "./memory-budget.ts";
export {
  countSessions,
  selectLastStarts,
  selectLogDays,
  selectOverdue,
  type SessionCounts,
} from "./operator-store.ts";
export { type ListedSession, listSessions, type SessionFilter } from "./session-list.ts";
export { type ExportedSession, sessionJson } from "./session-object.ts";
export {
  type EvaluationRun,
  type ExportState,
  type SessionEvent,
  type SessionStory,
  type SpokenTurn,
  tellSession,
} from "./session-story.ts";
export {
  addTurn,
  confirmEmail,
  connectVisitor,
  endSession,
  type EndReason,
  loseVisitor,
  setEmailVerified,
  type Settlement,
  settleSession,
  type StartedSession,
  startSession,
} from "./session.ts";
export { makeLogPartitions } from "./store.ts";
export { sweepDeadlines, type SweptSession } from "./sweep.ts";
