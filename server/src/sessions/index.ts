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
export {
  type DoomedSession,
  findPerson,
  forgetSessions,
  holdToForget,
  outlivedSessions,
} from "./forget/forget-sessions.ts";
export { findGaps, type FoundGaps, type Gap } from "./gaps/find-gaps.ts";
export type { ImportProblem } from "./import/import-problem.ts";
export type { ImportReport } from "./import/import-report.ts";
export { type ImportRequest, importSessions, type ImportSource } from "./import/import.ts";
export {
  type ClaimedSession,
  type ClaimedTurn,
  type ClaimRefusal,
  claimSession,
  settleCredentials,
  type LiveClaim,
} from "./live/live-claim.ts";
export type { Scene } from "./record/scene.ts";
export {
  addSessionCost,
  type CarriedSession,
  confirmLiveEmail,
  type DayShare,
  endLiveSession,
  keepLiveVisitor,
  type LiveEntry,
  type LiveUsage,
  liveUsage,
  loseLiveVisitor,
  NotCarried,
  recordLive,
  type Reservation,
} from "./live/live-record.ts";
export {
  endPresence,
  isShared,
  isWithinShare,
  type LiveOffer,
  liveOffer,
  type LiveProcess,
  loseDeadProcesses,
  notCarried,
  HEARTBEAT_MS,
  renewPresence,
} from "./live/presence.ts";
export {
  countOfAgent,
  countSessions,
  exportHold,
  exportHolds,
  type ExportHold,
  type Hold,
  lastStarts,
  type ListedSession,
  listSessions,
  oldestUnsettled,
  overdueSessions,
  type SessionFilter,
  traceOfSession,
} from "./operator/session-list.ts";
export {
  type FoundSession,
  type FoundSessions,
  searchSessions,
  type SessionSearch,
} from "./operator/session-search.ts";
export {
  type CostsFilter,
  type ModelCosts,
  type SessionCosts,
  sessionCosts,
} from "./operator/session-costs.ts";
export { digestDue } from "./digest/digest.ts";
export {
  NOTHING,
  type SessionTally,
  sessionTimes,
  type SessionTimes,
  type Spread,
  type TalliesDimension,
  type TalliesFilter,
  tallySessions,
} from "./digest/tallies.ts";
export {
  type EvaluationRun,
  type ExportState,
  type SessionEvent,
  type SessionStory,
  type SpokenTurn,
  tellSession,
} from "./operator/session-story.ts";
export { clocksAhead } from "./record/clocks-ahead.ts";
export { DomainCheck, MailDomains } from "./record/domain-check.ts";
export { domainOf, normalizeEmail } from "./record/email.ts";
export { likelyDomain } from "./record/likely-domain.ts";
export { dropEmptyLogDays, listLogDays, makeLogPartitions } from "./record/log-days.ts";
export { normalizeMetadata } from "./record/metadata.ts";
export { type ExportedSession, sessionJson } from "./record/session-object.ts";
export {
  addTurn,
  BEHIND_LIVE,
  checkDomain,
  confirmEmail,
  connectVisitor,
  type EndedSession,
  type EndReason,
  endSession,
  evaluationPriority,
  loseVisitor,
  readEndedSession,
  sessionEnded,
  setEmailVerified,
  type Settlement,
  settleSession,
  type StartedSession,
  startSession,
} from "./record/session.ts";
export { PassedOver, sweepDeadlines, type SweptSession } from "./record/sweep.ts";
export type { Visitor, VisitOutcome, VisitStart } from "./visits/admit-visit.ts";
export { networksOf, visitorAddress } from "./visits/networks.ts";
export { StartChallenges } from "./visits/start-challenges.ts";
export { dailyCostLimit } from "./visits/visit-limits.ts";
export { agentsNearDayCap, forgetVisits, type NearDayCap, Visits } from "./visits/visits.ts";
