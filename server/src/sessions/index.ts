export {
  createExporter,
  type Exporter,
  type ExportPage,
  type ExportPosition,
  type ExportRequest,
  positionSince,
} from "./export.ts";
export { MemoryBudget } from "./memory-budget.ts";
export {
  addTurn,
  confirmEmail,
  endSession,
  type EndReason,
  setEmailVerified,
  type Settlement,
  settleSession,
  type StartedSession,
  startSession,
} from "./session.ts";
export { makeLogPartitions } from "./store.ts";
