export {
  askExportRole,
  createExporter,
  type Exporter,
  type ExportPage,
  type ExportPosition,
  type ExportRequest,
  type ExportRole,
  positionSince,
} from "./export/export.ts";
export { findPerson } from "./forget/find-person.ts";
export {
  type DoomedSession,
  erasedAmong,
  forgetSessions,
  holdToForget,
  outlivedSessions,
} from "./forget/forget-sessions.ts";
export { importSessions, type ImportRequest, type ImportSource } from "./import/import.ts";
export type { ImportProblem } from "./import/import-problem.ts";
export type { ImportReport } from "./import/import-report.ts";
export {
  claimSession,
  type ClaimedSession,
  type ClaimedTurn,
  type ClaimRefusal,
  type LiveClaim,
} from "./live/live-claim.ts";
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
} from "./live/live-record.ts";
export {
  endPresence,
  isCarried,
  type LiveProcess,
  loseDeadProcesses,
  RENEW_MS,
  renewPresence,
} from "./live/presence.ts";
export { exportHold, type ExportHold, type Hold, overdueSessions } from "./operator/export-hold.ts";
export {
  countSessions,
  lastStarts,
  type ListedSession,
  listSessions,
  type SessionFilter,
} from "./operator/session-list.ts";
export {
  type EvaluationRun,
  type ExportState,
  type SessionEvent,
  type SessionStory,
  type SpokenTurn,
  tellSession,
} from "./operator/session-story.ts";
export { DomainCheck } from "./record/domain-check.ts";
export { normalizeEmail } from "./record/email.ts";
export { checkDomain, sessionEnded } from "./record/jobs.ts";
export { dropEmptyLogDays, listLogDays, makeLogPartitions } from "./record/log-days.ts";
export { normalizeMetadata } from "./record/metadata.ts";
export { type ExportedSession, sessionJson } from "./record/session-object.ts";
export {
  addTurn,
  confirmEmail,
  connectVisitor,
  type EndedSession,
  endSession,
  type EndReason,
  loseVisitor,
  readEndedSession,
  setEmailVerified,
  type Settlement,
  settleSession,
  type StartedSession,
  startSession,
} from "./record/session.ts";
export { sweepDeadlines, type SweptSession } from "./record/sweep.ts";
export type { Visitor, VisitOutcome, VisitStart } from "./visits/admit-visit.ts";
export { forgetVisits } from "./visits/forget-visits.ts";
export { visitorAddress } from "./visits/visitor-address.ts";
export { Visits } from "./visits/visits.ts";
