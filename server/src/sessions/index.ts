export {
  createExporter,
  type Exporter,
  type ExportPage,
  type ExportPosition,
  type ExportRequest,
  positionSince,
} from "./export.ts";
export { DomainCheck } from "./domain-check.ts";
export { normalizeEmail } from "./email.ts";
export { type EndedSession, readEndedSession } from "./ended-session.ts";
export { exportHold, type ExportHold, type Hold } from "./export-hold.ts";
export { askExportRole, type ExportRole } from "./export-role-store.ts";
export { importSessions, type ImportRequest, type ImportSource } from "./import.ts";
export type { ImportProblem } from "./import-problem.ts";
export type { ImportReport } from "./import-report.ts";
export { checkDomain, sessionEnded } from "./jobs.ts";
export {
  claimSession,
  type ClaimedSession,
  type ClaimedTurn,
  type ClaimRefusal,
  type LiveClaim,
} from "./live-claim.ts";
export {
  type CarriedSession,
  confirmLiveEmail,
  endLiveSession,
  keepLiveVisitor,
  type LiveEntry,
  type LiveUsage,
  liveUsage,
  loseLiveVisitor,
  NotCarried,
  recordLive,
} from "./live-record.ts";
export { MemoryBudget } from "./memory-budget.ts";
export {
  countSessions,
  selectLastStarts,
  selectLogDays,
  selectOverdue,
  type SessionCounts,
} from "./operator-store.ts";
export {
  endPresence,
  isCarried,
  type LiveProcess,
  loseDeadProcesses,
  RENEW_MS,
  renewPresence,
} from "./presence.ts";
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
export { storable } from "./storable-text.ts";
export { makeLogPartitions } from "./store.ts";
export type { Visitor, VisitOutcome, VisitStart } from "./admit-visit.ts";
export { dropEmptyLogDays } from "./drop-empty-log-days.ts";
export { findPerson } from "./find-person.ts";
export { erasedAmong, forgetSessions, holdToForget } from "./forget-sessions.ts";
export { type DoomedSession, selectOutlived } from "./forget-store.ts";
export { forgetVisits } from "./forget-visits.ts";
export { normalizeMetadata } from "./metadata.ts";
export { visitorAddress } from "./visitor-address.ts";
export { Visits } from "./visits.ts";
export { sweepDeadlines, type SweptSession } from "./sweep.ts";
