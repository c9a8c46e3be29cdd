/** Drives the rooms' doors and seeds rows, for tests and proofs only. */
export { applyFolder, mistakesIn, planFolder } from "./agent-files.ts";
export { captureLog, type CapturedLog } from "./captured-log.ts";
export { addCustomer, type Customer } from "./customer.ts";
export { cloneDatabase, createTemplate, type TestDatabase } from "./database.ts";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { type OwnCluster, startOwnCluster } from "./own-cluster.ts";
export { seedBulk } from "./seed-bulk.ts";
export { seedSettled } from "./seed-settled.ts";
export {
  end,
  EXAMPLE_EVALUATION,
  EXAMPLE_TURNS,
  type PlayedTurn,
  playSession,
  say,
  settle,
  start,
  verifyEmail,
} from "./play-session.ts";
export { allotStamp, type StampClock } from "./stamp-model.ts";
export { dumpSchema } from "./schema-dump.ts";
export { MAIN, type ServerProcess, startServerProcess } from "./server-process.ts";
export { countLockWaiters, whileLocked } from "./while-locked.ts";
export { itemsOf, readExport, wholeExport } from "./read-export.ts";
export { exportRow, sessionRow } from "./stored-rows.ts";
